/** From session steps to messages, with the delimiter answered as a host answers it: by the protocol, call by call. */
import {
	advanceProtocol,
	DELIMITER,
	decideDelimiter,
	emptyProtocol,
	type ProtocolState,
} from "../annotation/delimiter.ts";
import type { TranscriptMessage } from "../transcript/transcript.ts";
import * as draft from "./message-builders.ts";
import { type BlockStep, nameAt, type Outcome, type Session, type SessionStep } from "./sessions.ts";

/** A session in the making. */
export interface Writer {
	readonly drafts: draft.MessageDraft[];
	/** The marks so far, by which the host answers the next one. */
	protocol: ProtocolState;
	calls: number;
	/** Starts so far: the next episode is named after their number. */
	starts: number;
	lastCallId: string;
}

interface Answer {
	readonly rank: number;
	readonly isLate: boolean;
	readonly message: draft.MessageDraft;
}

type Arguments = Readonly<Record<string, unknown>>;

export function createWriter(): Writer {
	return { drafts: [], protocol: emptyProtocol, calls: 0, starts: 0, lastCallId: "c0" };
}

export function writeSession(session: Session): readonly TranscriptMessage[] {
	const writer = createWriter();
	for (const step of session) writeStep(writer, step);
	return draft.build(writer.drafts);
}

/** Adds the messages of a step to the drafts. */
export function writeStep(writer: Writer, step: SessionStep) {
	if (step.type === "exchange") writeExchange(writer, step.blocks, step.interruption);
	else writer.drafts.push(messageOf(step));
}

function messageOf(step: Exclude<SessionStep, { type: "exchange" }>): draft.MessageDraft {
	if ("tokens" in step)
		return { user: draft.person, shell: draft.shell, note: draft.note }[step.type](step.tokens);
	return step.type === "silence" ? draft.silence() : draft.result("never-called", 30);
}

function writeExchange(writer: Writer, blocks: readonly BlockStep[], interruption: "user" | "note") {
	const answers: Answer[] = [];
	writer.drafts.push(draft.model(...blocks.map((block) => writeBlock(writer, block, answers))));
	const inOrder = answers.toSorted((a, b) => a.rank - b.rank);
	const late = inOrder.filter((answer) => answer.isLate);
	writer.drafts.push(...inOrder.filter((answer) => !answer.isLate).map((answer) => answer.message));
	if (late.length === 0) return;
	writer.drafts.push(interruption === "user" ? draft.person() : draft.note());
	writer.drafts.push(...late.map((answer) => answer.message));
}

function writeBlock(writer: Writer, block: BlockStep, answers: Answer[]): draft.ItemDraft {
	if (block.type === "text" || block.type === "reasoning") {
		if (block.tokens === 1) return draft.blank(block.type);
		return block.type === "text"
			? draft.text(block.tokens, block.tokens % 2 === 0 ? `Found ${block.tokens}.` : "")
			: draft.reasoning(block.tokens);
	}
	const callId = block.type === "work" && block.sameId ? writer.lastCallId : `c${++writer.calls}`;
	writer.lastCallId = callId;
	if (block.type === "work") {
		answer(answers, callId, block.outcome);
		return draft.call(callId, block.tool, block.arguments, block.tokens);
	}
	const args = block.type === "mark" ? markArguments(writer, block) : block.arguments;
	const isAccepted = obey(writer, args) || (block.type === "malformed" && block.lies);
	answer(answers, callId, isAccepted ? block.outcome : { ...block.outcome, fate: "fails" });
	return draft.call(callId, DELIMITER, args, block.tokens);
}

function answer(answers: Answer[], callId: string, outcome: Outcome) {
	const { fate, tokens, rank } = outcome;
	if (fate === "missing") return;
	const message = fate === "fails" ? draft.failure(callId, tokens) : draft.result(callId, tokens);
	answers.push({ rank, isLate: fate === "late", message });
	if (fate === "twice") answers.push({ rank: rank + 1, isLate: false, message });
}

/** Returns true if the protocol accepts the call, and then advances it. */
function obey(writer: Writer, args: Arguments): boolean {
	const decision = decideDelimiter(writer.protocol, args);
	if (decision.type === "rejected") return false;
	writer.protocol = advanceProtocol(writer.protocol, decision.command);
	return true;
}

function markArguments(writer: Writer, mark: Extract<BlockStep, { type: "mark" }>): Arguments {
	const { open, kinds } = writer.protocol;
	if (open) return open.kind === "act" ? { action: "end" } : { action: "end", description: mark.description };
	const start = { action: "start", name: nameAt(writer.starts++), type: mark.kind };
	if (mark.kind === "expl") return start;
	const expls = [...kinds].filter(([, kind]) => kind === "expl").map(([name]) => name);
	return { ...start, dependencies: mark.picks.flatMap((pick) => expls.at(-1 - pick) ?? []) };
}
