/** The number that tells frames of ours from text that only looks like one: drawn once for a session, kept in its file. */
import { randomInt } from "node:crypto";

/** The custom entry that carries it. */
export const MARK_ENTRY = "cwl.mark";

/** Six digits are two tokens, and a file that was written before the session began guesses one in a million. */
const DIGITS = 6;

export type FrameMark = string;

export interface MarkEntry {
	readonly mark: FrameMark;
}

export function drawMark(): FrameMark {
	return String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
}

type Entry = { readonly type: string; readonly customType?: unknown; readonly data?: unknown };

/** The mark of a branch, which forks of it keep; undefined before its first frame. Never throws. */
export function readMark(branch: readonly Entry[]): FrameMark | undefined {
	for (const { type, customType, data } of branch) {
		if (type !== "custom" || customType !== MARK_ENTRY) continue;
		const mark = typeof data === "object" && data !== null && "mark" in data ? data.mark : undefined;
		if (typeof mark === "string" && /^\d{6}$/.test(mark)) return mark;
	}
	return undefined;
}
