import type { Refusal } from "../refusal.ts";
export function checkCompletions(_body: unknown): Refusal | undefined {
	return undefined;
}
