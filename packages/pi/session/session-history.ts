/** A session as it went: its messages with what was decided between them, in their order, and what its requests were counted as. */
import { fieldsOf } from "#basics";
import type { Session } from "#core";
import { computeLedger, type FixedTokens, sealedTokens, totalTokens } from "#core/ledger";
import type { Pass } from "#core/log";
import { isPrefixChange } from "#core/planning";
import { project } from "#core/projection";
import { type Answer, answerTime, type HostMessage, isAnswer, modelName } from "../codec/host-message.ts";
import { createNames, messageKey, type Reader } from "../codec/messages.ts";
import { renderProjection } from "../codec/rendering.ts";
import type { BranchEntry } from "../custom-entries.ts";
import { readLogEntries, UNDO_ENTRY } from "./log-entries.ts";
import { shownView } from "./prefix.ts";
import { passesIn } from "./read-pass.ts";
import { withoutLast } from "./undo.ts";

export type HistoryStep =
	/** `isSuperseded` for an answer to a request whose history is gone, since the host has compacted or edited it. */
	| { readonly type: "message"; readonly message: HostMessage; readonly isSuperseded?: boolean }
	/** `isSuperseded` for a pass that was made before the host compacted or edited its history: it may speak of messages that are gone. */
	| { readonly type: "pass"; readonly pass: Pass; readonly isSuperseded?: boolean }
	/** The last pass that still held was taken back, which made this thinking invalid. */
	| { readonly type: "undo"; readonly change: Pass | undefined }
	/** A person turned CWL on or off. */
	| { readonly type: "switch"; readonly isOn: boolean }
	/** The requests from here on have changes of system prompt and tools inside the conversation, or in front of it. */
	| { readonly type: "prefix"; readonly takesChanges: boolean };

/** Returns true for entries by which the host replaces messages that it has sent: a compaction, and the edits of pi 1.5 and later. */
export function isRewrite({ type }: BranchEntry): boolean {
	return type === "compaction" || type === "context_edit";
}

/**
 * Returns a test for what of a branch went by a history that the host has rewritten since: everything in front of a compaction, and
 * what stands between a message and its edit. pi edits out the answer of a failed request at once, which changes nothing that was sent.
 */
function findRewritten(branch: readonly BranchEntry[]): (index: number) => boolean {
	const stretches = branch.flatMap((entry, end) => {
		if (!isRewrite(entry)) return [];
		const { targetId } = fieldsOf(entry);
		if (targetId === undefined) return [[-1, end] as const];
		const target = branch.findIndex(({ id }) => id === targetId);
		// A reader may have left out an answer that failed.
		return target < 0 ? [] : [[target, end] as const];
	});
	return (index) => stretches.some(([begin, end]) => begin < index && index < end);
}

/**
 * Puts what a branch holds of ours between these messages, each in front of the next answer among them, and at the end what
 * none of them follows. What was decided before answers in front of all of them (pi compacted these) comes first.
 */
export function readHistory(
	branch: readonly BranchEntry[],
	messages: readonly HostMessage[],
): readonly HistoryStep[] {
	const present = new Set(messages.map(answerTime));
	const due = new Map<number, HistoryStep[]>();
	const steps: HistoryStep[] = [];
	let waiting: HistoryStep[] = [];
	const isOld = findRewritten(branch);
	const superseded = new Set(
		branch.filter((_, index) => isOld(index)).map(({ message }) => answerTime(message)),
	);
	for (const [index, entry] of branch.entries()) {
		waiting.push(...readDecisions(entry, isOld(index)));
		const time = answerTime(entry.message);
		if (time === undefined) continue;
		// The messages may also end before the branch does: later decisions change no request of theirs.
		if (present.has(time)) due.set(time, waiting);
		else if (due.size === 0) steps.push(...waiting);
		else continue;
		waiting = [];
	}
	for (const message of messages) {
		const time = answerTime(message);
		if (time !== undefined) steps.push(...(due.get(time) ?? []));
		steps.push({ type: "message", message, isSuperseded: time !== undefined && superseded.has(time) });
	}
	return [...steps, ...waiting];
}

function readDecisions(entry: BranchEntry, isSuperseded: boolean): readonly HistoryStep[] {
	const { passes, steering, prefix } = readLogEntries([entry]);
	const { enabled } = steering;
	if (entry.customType === UNDO_ENTRY) return [{ type: "undo", change: passes.at(-1) }];
	return [
		...(prefix ? [{ type: "prefix" as const, takesChanges: prefix.takesChanges }] : []),
		...passes.map((pass) => ({ type: "pass" as const, pass, isSuperseded })),
		...(enabled === undefined ? [] : [{ type: "switch" as const, isOn: enabled }]),
	];
}

/**
 * Measures the request before each answer; `past` has read nothing yet. `fixedOf` answers the tokens of system prompt and tools while CWL
 * is on or off, and `changeOf` those by which a message behind the first one changes them for a model that takes changes inside the
 * conversation. Linear in the history, unless the components of each request are asked for, and in the passes before a compaction.
 */
export function* recountHistory(
	past: Session,
	read: Reader,
	history: Iterable<HistoryStep>,
	fixedOf: (isOn: boolean) => FixedTokens,
	changeOf: (message: HostMessage) => number = () => 0,
): Generator<CountedAnswer> {
	let changed = 0;
	let takesChanges = false;
	let isOn = true;
	const messages: HostMessage[] = [];
	const nameOf = createNames();
	for (const step of history) {
		if (step.type === "switch") isOn = step.isOn;
		else if (step.type === "prefix") takesChanges = step.takesChanges;
		else if (step.type === "pass") {
			// A log that is restored is counted by the messages that are left, also where a change of the prefix came with fewer of them.
			if (step.isSuperseded || isPrefixChange(step.pass)) past.restore([...past.state().log, step.pass]);
			else past.commit(step.pass);
		} else if (step.type === "undo") {
			const { rest } = withoutLast(past.state().log);
			past.restore(step.change ? [...rest, step.change] : rest);
		} else {
			const { message, isSuperseded = false } = step;
			// Passes that came before all messages may speak of such as the host has compacted away.
			if (messages.length === 0) past.restore(past.state().log);
			if (messages.length > 0) changed += changeOf(message);
			if (isAnswer(message)) {
				const begin = fixedOf(isOn);
				const fixed = { ...begin, system: begin.system + (takesChanges ? changed : 0) };
				yield { ...countAnswer(message, messages, past, fixed, isOn), isSuperseded };
			}
			past.append([read(message, messages.length, nameOf(messageKey(message)))]);
			messages.push(message);
		}
	}
}

/** An answer of the session, and what the request that it answers was counted as. */
export type CountedAnswer = ReturnType<typeof countAnswer> & {
	readonly isSuperseded: boolean;
};

function countAnswer(
	answer: Answer,
	messages: readonly HostMessage[],
	past: Session,
	fixed: FixedTokens,
	isManaged: boolean,
) {
	const { graph, view: logged, log } = past.state();
	const view = shownView(graph, logged, isManaged);
	return {
		/** False for a request of the time when CWL was switched off. */
		isManaged,
		answer,
		/** Tokens of the request. */
		tokens: totalTokens({ graph, view, fixed }),
		/** The part of them that is sealed thinking. */
		sealed: sealedTokens(graph, view, modelName(answer)),
		/** The passes that held by then. */
		passes: passesIn(log),
		/** The request by component, its messages, and the session by then: to be asked before the next answer is read. */
		ledger: () => computeLedger({ graph, view, fixed }),
		sent: () => renderProjection(project(graph, view), messages),
		state: () => ({ graph, view, fixed, messages }),
	};
}
