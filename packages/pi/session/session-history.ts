/** A session as it went: its messages with what was decided between them, in their order. */
import type { Pass } from "#core/log";
import { answerTime, type HostMessage } from "../codec/host-message.ts";
import { readLogEntries, UNDO_ENTRY } from "./log-entries.ts";

export type HistoryStep =
	| { readonly type: "message"; readonly message: HostMessage }
	| { readonly type: "pass"; readonly pass: Pass }
	/** The last pass that still held was taken back, which made this thinking invalid. */
	| { readonly type: "undo"; readonly change: Pass | undefined }
	/** A person turned CWL on or off. */
	| { readonly type: "switch"; readonly isOn: boolean };

type Entry = Parameters<typeof readLogEntries>[0][number] & { readonly message?: unknown };

/**
 * Put what a branch holds of ours between these messages, each in front of the answer that followed it, and at the
 * end what no answer has followed yet. What was decided before answers that the messages no longer hold (pi compacted them) comes first.
 */
export function readHistory(
	branch: readonly Entry[],
	messages: readonly HostMessage[],
): readonly HistoryStep[] {
	const present = new Set(messages.map(answerTime));
	const due = new Map<number, HistoryStep[]>();
	const steps: HistoryStep[] = [];
	let waiting: HistoryStep[] = [];
	for (const entry of branch) {
		waiting.push(...readDecisions(entry));
		const time = answerTime(entry.message);
		if (time === undefined) continue;
		if (present.has(time)) due.set(time, waiting);
		else steps.push(...waiting);
		waiting = [];
	}
	for (const message of messages) {
		const time = answerTime(message);
		if (time !== undefined) steps.push(...(due.get(time) ?? []));
		steps.push({ type: "message", message });
	}
	return [...steps, ...waiting];
}

function readDecisions(entry: Entry): readonly HistoryStep[] {
	const { passes, steering } = readLogEntries([entry]);
	const { enabled } = steering;
	if (entry.customType === UNDO_ENTRY) return [{ type: "undo", change: passes.at(-1) }];
	return [
		...passes.map((pass) => ({ type: "pass" as const, pass })),
		...(enabled === undefined ? [] : [{ type: "switch" as const, isOn: enabled }]),
	];
}
