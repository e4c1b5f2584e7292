/** Random sessions in two forms: messages for the engine, and pieces for the transcription of Algorithm 1. */
import fc from "fast-check";
import { DELIMITER } from "../annotation/delimiter.ts";
import type { Item, ItemId, ToolCall, TranscriptMessage } from "../transcript/transcript.ts";
import type { Piece } from "./algorithm-1.ts";
import { writeSession } from "./session-writer.ts";
import type { BlockStep, SessionStep } from "./sessions.ts";
import { countMarker } from "./simulation.ts";

const tools = { grep: "search", read: "interaction", edit: "write" } as const;
const DESCRIPTION = "learned";

export interface PairedSession {
	readonly drafts: readonly TranscriptMessage[];
	readonly pieces: readonly Piece[];
	/** The items of each piece. */
	readonly items: readonly (readonly ItemId[])[];
	/** Places of the pieces that passes compare at, as numbers of messages and pieces before them. */
	readonly stops: readonly { readonly messages: number; readonly pieces: number }[];
}

const size = fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 5_000, max: 20_000 }));

const work: fc.Arbitrary<BlockStep> = fc.record({
	type: fc.constant("work" as const),
	tool: fc.constantFrom("grep", "read", "edit"),
	arguments: fc.constant({}),
	tokens: fc.constant(10),
	outcome: fc.record({
		tokens: size,
		fate: fc.integer({ min: 0, max: 4 }).map((draw) => (draw === 0 ? "fails" : "comes")),
		rank: fc.constant(0),
	}),
	sameId: fc.constant(false),
});

const mark: fc.Arbitrary<BlockStep> = fc.record({
	type: fc.constant("mark" as const),
	kind: fc.constantFrom("expl" as const, "act" as const),
	/** More than the line that an evicted episode leaves. */
	tokens: fc.constant(50),
	picks: fc.array(fc.nat({ max: 4 }), { maxLength: 3 }),
	description: fc.constant(DESCRIPTION),
	outcome: fc.constant({ tokens: 1, fate: "comes" as const, rank: 0 }),
});

/** Text follows reasoning, so that a provider never demands reasoning to leave with a call. */
const lead: fc.Arbitrary<readonly BlockStep[]> = fc.oneof(
	fc.constant([]),
	fc
		.tuple(fc.integer({ min: 2, max: 300 }), fc.integer({ min: 2, max: 50 }))
		.map(([reasoning, text]): readonly BlockStep[] => [
			{ type: "reasoning", tokens: reasoning },
			{ type: "text", tokens: text },
		]),
);

/** The user speaks and the model answers: nothing before that is in progress any more, so a pass compares here. */
const stop: readonly SessionStep[] = [
	{ type: "user", tokens: 1 },
	// The answer says nothing and costs nothing, so it does not matter that a request needs it.
	{ type: "exchange", blocks: [{ type: "text", tokens: 0 }], interruption: "note" },
];

function sessionOf(block: fc.Arbitrary<BlockStep>): fc.Arbitrary<PairedSession> {
	const blocks = fc.array(fc.tuple(lead, block), { minLength: 1, maxLength: 4 });
	const step: fc.Arbitrary<readonly SessionStep[]> = fc.oneof(
		{ weight: 1, arbitrary: size.map((tokens): readonly SessionStep[] => [{ type: "user", tokens }]) },
		{ weight: 2, arbitrary: fc.constant(stop) },
		{
			weight: 7,
			arbitrary: blocks.map((drawn): readonly SessionStep[] => {
				const blocks = drawn.flatMap(([before, one]) => [...before, one]);
				return [{ type: "exchange", blocks, interruption: "note" }];
			}),
		},
	);
	return fc
		.array(step, { minLength: 4, maxLength: 40, size: "max" })
		.map((steps) => pair(writeSession([{ type: "user", tokens: 10 }, ...steps.flat(), ...stop])));
}

const marked = fc.oneof({ weight: 8, arbitrary: work }, { weight: 5, arbitrary: mark });

/** With marks, and with none. */
export const pairedSession: fc.Arbitrary<PairedSession> = fc.oneof(
	{ weight: 9, arbitrary: sessionOf(marked) },
	{ weight: 1, arbitrary: sessionOf(work) },
);

/** Cuts messages into pieces. A call is a piece with its result; reasoning and text belong to the call that follows them. */
function pair(drafts: readonly TranscriptMessage[]): PairedSession {
	const pieces: Piece[] = [];
	const items: ItemId[][] = [];
	const stops: { messages: number; pieces: number }[] = [];
	const placeOf = new Map<string, number>();
	let open = "";
	const add = (piece: Piece, { id }: Item) => {
		pieces.push(piece);
		items.push([id]);
	};
	for (const [index, message] of drafts.entries()) {
		let lead: Item[] = [];
		const addLead = () => {
			for (const item of lead)
				add({ kind: item.type === "reasoning" ? "reasoning" : "text", tokens: item.tokens }, item);
			lead = [];
		};
		for (const item of message.items) {
			const { type, tokens } = item;
			if (type === "user") add({ kind: "user", tokens }, item);
			if (type === "reasoning" || type === "text") lead.push(item);
			if (type === "call") {
				const piece = pieceOf(item, open);
				// A start comes before what leads to it.
				if (piece.kind === "start") open = piece.name;
				else addLead();
				placeOf.set(item.callId, pieces.length);
				add(piece, item);
				addLead();
			}
			if (type === "result") {
				const place = placeOf.get(item.callId) ?? -1;
				const piece = pieces[place];
				if (!piece) throw new Error(`no call ${item.callId}`);
				pieces[place] = { ...piece, tokens: piece.tokens + tokens };
				items[place]?.push(item.id);
			}
		}
		addLead();
		const isStop = message.author === "model" && message.items[0]?.tokens === 0;
		if (isStop) stops.push({ messages: index + 1, pieces: pieces.length });
	}
	return { drafts, pieces, items, stops };
}

/** `open` is the name of the episode that an end ends. */
function pieceOf({ tool, tokens, arguments: given }: ToolCall, open: string): Piece {
	if (tool !== DELIMITER) {
		const kind = tools[tool as keyof typeof tools];
		return { kind: "call", tool: kind, tokens };
	}
	if (given.action === "end") {
		const line = `[expl ${JSON.stringify(open)}, evicted] ${JSON.stringify(given.description)}`;
		const descriptionTokens = given.description === undefined ? 0 : countMarker(line);
		return { kind: "end", tokens, descriptionTokens };
	}
	const dependencies = [...new Set(Array.isArray(given.dependencies) ? given.dependencies : [])];
	const type = given.type === "act" ? "act" : "expl";
	return { kind: "start", name: String(given.name).trim(), type, dependencies, tokens };
}
