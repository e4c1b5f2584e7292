/** Random sessions in two forms: messages for the engine, and pieces for the transcription of Algorithm 1. */
import fc from "fast-check";
import type { ItemId } from "../transcript/transcript.ts";
import type { Piece } from "./algorithm-1.ts";
import * as draft from "./message-builders.ts";
import { countMarker } from "./simulation.ts";

type Lead = { readonly reasoning: number; readonly text: number } | undefined;

type Step =
	| { readonly type: "user"; readonly tokens: number }
	/** The user speaks and the model answers: nothing before that is in progress any more, so a pass compares here. */
	| { readonly type: "stop" }
	| {
			readonly type: "call";
			readonly tool: keyof typeof tools;
			readonly tokens: number;
			readonly fails: boolean;
			readonly lead: Lead;
			/** True to join the message of the call before. */
			readonly isParallel: boolean;
	  }
	/** Starts an episode, or ends the open one. */
	| {
			readonly type: "mark";
			readonly kind: "expl" | "act";
			readonly picks: readonly number[];
			readonly lead: Lead;
			readonly isParallel: boolean;
	  };

const tools = { grep: "search", read: "interaction", edit: "write" } as const;

export interface PairedSession {
	readonly drafts: readonly draft.MessageDraft[];
	readonly pieces: readonly Piece[];
	/** The items of each piece. */
	readonly items: readonly (readonly ItemId[])[];
	/** Places of the pieces that passes compare at, as numbers of messages and pieces before them. */
	readonly stops: readonly { readonly messages: number; readonly pieces: number }[];
}

const lead = fc.option(
	fc.record({ reasoning: fc.integer({ min: 1, max: 300 }), text: fc.integer({ min: 1, max: 50 }) }),
	{ nil: undefined },
);
const size = fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 5_000, max: 20_000 }));
const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 1, arbitrary: fc.record({ type: fc.constant("user" as const), tokens: size }) },
	{ weight: 2, arbitrary: fc.constant<Step>({ type: "stop" }) },
	{
		weight: 8,
		arbitrary: fc.record({
			type: fc.constant("call" as const),
			tool: fc.constantFrom("grep" as const, "read" as const, "edit" as const),
			tokens: size,
			fails: fc.integer({ min: 0, max: 4 }).map((draw) => draw === 0),
			lead,
			isParallel: fc.boolean(),
		}),
	},
	{
		weight: 5,
		arbitrary: fc.record({
			type: fc.constant("mark" as const),
			kind: fc.constantFrom("expl" as const, "act" as const),
			picks: fc.array(fc.nat({ max: 4 }), { maxLength: 3 }),
			lead,
			isParallel: fc.boolean(),
		}),
	},
);

/** With marks, with few, and with none. */
export const pairedSession: fc.Arbitrary<PairedSession> = fc
	.tuple(fc.array(step, { minLength: 4, maxLength: 60, size: "max" }), fc.integer({ min: 0, max: 9 }))
	.map(([steps, draw]) => writePair(draw === 0 ? steps.filter(({ type }) => type !== "mark") : steps));

/** The session so far, and the model message that more may join. */
interface Writer {
	readonly drafts: draft.MessageDraft[];
	readonly pieces: Piece[];
	readonly items: ItemId[][];
	blocks: { readonly item: draft.ItemDraft; readonly place: number }[];
	results: { readonly message: draft.MessageDraft; readonly place: number }[];
	open: { readonly name: string; readonly kind: "expl" | "act" } | undefined;
	readonly expls: string[];
}

function writePair(steps: readonly Step[]): PairedSession {
	const writer: Writer = {
		...{ drafts: [], pieces: [], items: [], blocks: [], results: [] },
		...{ open: undefined, expls: [] },
	};
	const stops: { messages: number; pieces: number }[] = [];
	speak(writer, 10);
	for (const step of [...steps, { type: "stop" } as const]) {
		if (step.type === "user" || step.type === "stop") speak(writer, step.type === "user" ? step.tokens : 1);
		if (step.type === "call" || step.type === "mark") {
			if (!step.isParallel) flush(writer);
			if (step.type === "call") use(writer, step);
			else mark(writer, step);
		}
		if (step.type !== "stop") continue;
		// It says nothing and costs nothing, so it does not matter that a request needs it.
		writer.blocks.push({ item: draft.text(0), place: add(writer, { kind: "text", tokens: 0 }) });
		flush(writer);
		stops.push({ messages: writer.drafts.length, pieces: writer.pieces.length });
	}
	const { drafts, pieces, items } = writer;
	return { drafts, pieces, items, stops };
}

function speak(writer: Writer, tokens: number) {
	flush(writer);
	add(writer, { kind: "user", tokens });
	writer.drafts.push(draft.person(tokens));
}

function use(writer: Writer, { tool, tokens, fails, lead }: Step & { type: "call" }) {
	leadIn(writer, lead);
	const callId = `call-${writer.pieces.length}`;
	const place = add(writer, { kind: "call", tool: tools[tool], tokens: tokens + 10 });
	writer.blocks.push({ item: draft.call(callId, tool), place });
	writer.results.push({
		message: fails ? draft.failure(callId, tokens) : draft.result(callId, tokens),
		place,
	});
}

function mark(writer: Writer, { kind, picks, lead }: Step & { type: "mark" }) {
	const callId = `mark-${writer.pieces.length}`;
	const { open, expls } = writer;
	if (open) {
		leadIn(writer, lead);
		const description = open.kind === "expl" ? `what ${open.name} learned` : undefined;
		const descriptionTokens = description === undefined ? 0 : lineTokens(open.name, description);
		// The description stands in the call, so the call is never shorter than the line.
		const tokens = descriptionTokens + 5;
		const place = add(writer, { kind: "end", tokens: tokens + 1, descriptionTokens });
		answer(writer, { ...draft.end(callId, description), tokens }, callId, place);
		if (open.kind === "expl") expls.push(open.name);
		writer.open = undefined;
		return;
	}
	const name = `episode-${writer.pieces.length}`;
	const dependencies = kind === "act" ? [...new Set(picks.flatMap((pick) => expls.at(-1 - pick) ?? []))] : [];
	// Reasoning and text belong to the call that follows them.
	const place = add(writer, { kind: "start", name, type: kind, dependencies, tokens: 11 });
	leadIn(writer, lead);
	const item = kind === "act" ? draft.startAct(callId, name, ...dependencies) : draft.startExpl(callId, name);
	answer(writer, item, callId, place);
	writer.open = { name, kind };
}

function lineTokens(name: string, description: string): number {
	return countMarker(`[expl ${JSON.stringify(name)}, evicted] ${JSON.stringify(description)}`);
}

function answer(writer: Writer, item: draft.ItemDraft, callId: string, place: number) {
	writer.blocks.push({ item, place });
	writer.results.push({ message: draft.result(callId, 1), place });
}

/** Text follows reasoning, so that a provider never demands reasoning to leave with a call. */
function leadIn(writer: Writer, lead: Lead) {
	if (!lead) return;
	const reasoning = add(writer, { kind: "reasoning", tokens: lead.reasoning });
	const text = add(writer, { kind: "text", tokens: lead.text });
	writer.blocks.push({ item: draft.reasoning(lead.reasoning), place: reasoning });
	writer.blocks.push({ item: draft.text(lead.text), place: text });
}

function add({ pieces, items }: Writer, piece: Piece): number {
	items.push([]);
	return pieces.push(piece) - 1;
}

function flush(writer: Writer) {
	const { drafts, items, blocks, results } = writer;
	if (blocks.length === 0) return;
	for (const [block, { place }] of blocks.entries()) items[place]?.push(`${drafts.length}.${block}`);
	drafts.push(draft.model(...blocks.map(({ item }) => item)));
	for (const { message, place } of results) {
		items[place]?.push(`${drafts.length}.0`);
		drafts.push(message);
	}
	writer.blocks = [];
	writer.results = [];
}
