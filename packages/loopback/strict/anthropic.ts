import type { Refusal } from "../refusal.ts";
export function checkAnthropic(_body: unknown): Refusal | undefined {
	return undefined;
}
