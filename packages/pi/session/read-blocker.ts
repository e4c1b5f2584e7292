/** The blocker of a pass as an entry of the session holds it. */
import { type Blocker, isRecord, type UnknownRecord } from "#core";
import { blockerFromText } from "../screen/blocker-text.ts";
import { isCount } from "./count.ts";

/** Returns undefined for a blocker that is damaged, or of a version that is not known. */
export function readBlocker(data: unknown): Blocker | undefined {
	if (!isRecord(data)) return undefined;
	const { code, tokens, what, remedy } = data;
	if (!isCount(tokens)) return undefined;
	if (code === "open-episode") return readOpenEpisode(data, tokens);
	if (code === "pinned-episodes") return readPinnedEpisodes(data, tokens);
	if (code === "dependencies")
		return typeof data.act === "string" ? { code, act: data.act, tokens } : undefined;
	if (isPlainBlocker(code)) return { code, tokens };
	// Versions up to 0.1 kept the wording.
	if (typeof what !== "string" || typeof remedy !== "string") return undefined;
	return blockerFromText({ what, tokens, remedy });
}

/** Blockers that are a number of tokens and nothing else. */
const plainBlockers = ["fixed", "prologue", "user-turns", "exchange", "in-use"] as const;

function isPlainBlocker(code: unknown): code is (typeof plainBlockers)[number] {
	return plainBlockers.some((known) => known === code);
}

function readOpenEpisode({ episode, origin }: UnknownRecord, tokens: number): Blocker | undefined {
	if (typeof episode !== "string" || (origin !== "declared" && origin !== "inferred")) return undefined;
	return { code: "open-episode", episode, origin, tokens };
}

function readPinnedEpisodes({ count, largest }: UnknownRecord, tokens: number): Blocker | undefined {
	if (!isCount(count) || typeof largest !== "string") return undefined;
	return { code: "pinned-episodes", count, largest, tokens };
}
