/** Where the text that edits needed and did not have had been shown: the tool, the size of its output, and how long ago. */
import type { HostMessage } from "#pi";
import type { MessageSizes } from "../recording/recording.ts";
import type { CheckedNeed } from "./grounding.ts";

export interface MissCount {
	readonly missed: number;
	/** Of those, shown last by an output of 3,000 tokens or more. */
	readonly large: number;
	/** Of those, last shown before the last user turn. */
	readonly acrossTasks: number;
}

/** By the tool that showed the text last; `agent` and `user` for what they wrote. */
export type MissedEdits = Readonly<Record<string, MissCount>>;

const LARGE_TOKENS = 3_000;

/** Counts the edit needs of one request that are gone. */
export function countMissedEdits(
	needs: readonly CheckedNeed[],
	history: readonly HostMessage[],
	sizes: MessageSizes,
): MissedEdits {
	let missed: MissedEdits = {};
	for (const { need, isKept } of needs) {
		const place = need.sources.at(-1);
		const message = place && history[place.message];
		if (isKept || need.kind !== "edit" || !message) continue;
		const isLarge = (sizes(message)[place.block] ?? 0) >= LARGE_TOKENS;
		const count = { missed: 1, large: Number(isLarge), acrossTasks: Number(need.isCross) };
		missed = addMissedEdits(missed, { [sourceOf(message)]: count });
	}
	return missed;
}

function sourceOf(message: HostMessage): string {
	if (message.role === "toolResult") return message.toolName;
	return message.role === "assistant" ? "agent" : "user";
}

export function addMissedEdits(a: MissedEdits, b: MissedEdits): MissedEdits {
	const sum = { ...a };
	for (const [source, { missed, large, acrossTasks }] of Object.entries(b)) {
		const known = sum[source] ?? { missed: 0, large: 0, acrossTasks: 0 };
		sum[source] = {
			missed: known.missed + missed,
			large: known.large + large,
			acrossTasks: known.acrossTasks + acrossTasks,
		};
	}
	return sum;
}
