import type { Refusal } from "../refusal.ts";
export function checkResponses(_body: unknown): Refusal | undefined {
	return undefined;
}
