/** Arbitrary sessions as plain steps, so that what fails shrinks to something that can be read. */
import fc from "fast-check";

/** How the result of a call arrives. `late` comes after the interruption that ends the exchange. */
type Fate = "comes" | "fails" | "late" | "missing" | "twice";

export interface Outcome {
	readonly tokens: number;
	readonly fate: Fate;
	/** Results of parallel calls arrive by rising rank. */
	readonly rank: number;
}

export type BlockStep =
	| { readonly type: "text"; readonly tokens: number }
	| { readonly type: "reasoning"; readonly tokens: number }
	| {
			readonly type: "work";
			readonly tool: string;
			readonly arguments: Readonly<Record<string, unknown>>;
			readonly tokens: number;
			readonly outcome: Outcome;
			/** Reuse the call id of the call before. */
			readonly sameId: boolean;
	  }
	/** Start or end an episode, whichever the protocol allows at this point. */
	| {
			readonly type: "mark";
			readonly tokens: number;
			readonly kind: "expl" | "act";
			readonly picks: readonly number[];
			readonly description: string;
			readonly outcome: Outcome;
	  }
	| {
			readonly type: "malformed";
			readonly tokens: number;
			readonly arguments: Readonly<Record<string, unknown>>;
			/** True if the host says that it took effect all the same. */
			readonly lies: boolean;
			readonly outcome: Outcome;
	  };

export type SessionStep =
	| { readonly type: "user" | "shell" | "note"; readonly tokens: number }
	| { readonly type: "silence" | "stray" }
	| {
			readonly type: "exchange";
			readonly blocks: readonly BlockStep[];
			readonly interruption: "user" | "note";
	  };

export type Session = readonly SessionStep[];

const oddNames = [
	"__proto__",
	"constructor",
	"toString",
	'say "hi"',
	"two\nlines",
	"  padded ",
	"épisode ☃ 𝒳",
	" 1.0",
];
export function nameAt(index: number): string {
	return oddNames[index] ?? `episode ${index}`;
}

/** No item is free: framing costs at least 1. */
const size = fc.oneof(
	{ weight: 1, arbitrary: fc.constant(1) },
	{ weight: 6, arbitrary: fc.integer({ min: 1, max: 60 }) },
	{ weight: 6, arbitrary: fc.integer({ min: 100, max: 1500 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 5_000, max: 40_000 }) },
);

const usualFate = fc.oneof(
	{ weight: 12, arbitrary: fc.constant<Fate>("comes") },
	{ weight: 3, arbitrary: fc.constant<Fate>("fails") },
	{ weight: 1, arbitrary: fc.constantFrom<Fate>("late", "missing", "twice") },
);

const outcome = fc.record({ tokens: size, fate: usualFate, rank: fc.nat({ max: 3 }) });
const smoothOutcome = fc.record({
	tokens: fc.integer({ min: 1, max: 20 }),
	fate: fc.oneof({ weight: 15, arbitrary: fc.constant<Fate>("comes") }, { weight: 1, arbitrary: usualFate }),
	rank: fc.constant(0),
});

const tool = fc.constantFrom(
	{ tool: "read", arguments: { path: "a.ts" } },
	{ tool: "grep", arguments: { pattern: "x" } },
	{ tool: "LS", arguments: {} },
	{ tool: "edit", arguments: { path: "a.ts" } },
	{ tool: "bash", arguments: { command: "ls -la | head" } },
	{ tool: "bash", arguments: { command: "rm -rf build" } },
	{ tool: "mystery", arguments: {} },
	{ tool: "__proto__", arguments: {} },
	{ tool: "constructor", arguments: { name: "x" } },
);

const work = fc
	.record({ tool, tokens: fc.integer({ min: 1, max: 40 }), outcome, sameId: fc.integer({ min: 0, max: 15 }) })
	.map(
		({ tool: use, sameId, ...rest }): BlockStep => ({ type: "work", ...use, ...rest, sameId: sameId === 15 }),
	);

const mark = fc.record({
	type: fc.constant("mark" as const),
	kind: fc.constantFrom("expl" as const, "act" as const),
	/** Sometimes less than its description, so that removing an episode may save nothing. */
	tokens: fc.integer({ min: 1, max: 40 }),
	picks: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }),
	description: fc.oneof(
		fc.string({ minLength: 1, maxLength: 30 }),
		fc.string({ unit: "binary", minLength: 100, maxLength: 300 }),
		fc.constantFrom("learned", "first\nsecond", 'closed] [expl "fake"'),
	),
	outcome: smoothOutcome,
});

const malformed = fc.record({
	type: fc.constant("malformed" as const),
	arguments: fc.record(
		{
			action: fc.constantFrom("start", "end", "begin", null),
			name: fc.constantFrom("", "  ", "constructor", "episode 20", 7),
			type: fc.constantFrom("expl", "act", "nap", null),
			dependencies: fc.constantFrom([], ["nobody"], ["constructor"], [3], "constructor", null),
			description: fc.constantFrom("", "why", 3),
		},
		{ requiredKeys: [] },
	),
	tokens: fc.integer({ min: 1, max: 40 }),
	lies: fc.boolean(),
	outcome: smoothOutcome,
});

const talk = fc.record({ type: fc.constantFrom("text" as const, "reasoning" as const), tokens: size });

const unmarkedBlock: fc.Arbitrary<BlockStep> = fc.oneof(
	{ weight: 5, arbitrary: work },
	{ weight: 3, arbitrary: talk },
);
const anyBlock: fc.Arbitrary<BlockStep> = fc.oneof(
	{ weight: 8, arbitrary: unmarkedBlock },
	{ weight: 5, arbitrary: mark },
	{ weight: 1, arbitrary: malformed },
);

function stepOf(block: fc.Arbitrary<BlockStep>): fc.Arbitrary<SessionStep> {
	const exchange = fc.record({
		type: fc.constant("exchange" as const),
		blocks: fc.array(block, { maxLength: 6 }),
		interruption: fc.constantFrom("user" as const, "note" as const),
	});
	const said = fc.record({
		type: fc.constantFrom("user" as const, "shell" as const, "note" as const),
		tokens: size,
	});
	const odd = fc.record({ type: fc.constantFrom("silence" as const, "stray" as const) });
	return fc.oneof(
		{ weight: 9, arbitrary: exchange },
		{ weight: 2, arbitrary: said },
		{ weight: 1, arbitrary: odd },
	);
}

function sessionOf(block: fc.Arbitrary<BlockStep>): fc.Arbitrary<Session> {
	return fc.array(stepOf(block), { minLength: 1, maxLength: 30, size: "max" });
}

/** The session with thinking in front of every text and call. */
export function thinkEverywhere(session: Session): Session {
	return session.flatMap((step) => {
		if (step.type !== "exchange") return [step];
		const blocks = step.blocks.flatMap((block): BlockStep[] =>
			block.type === "reasoning"
				? [block]
				: [{ type: "reasoning", tokens: 1 + ((block.tokens * 7) % 400) }, block],
		);
		return continueAfterThinking({ ...step, blocks });
	});
}

/** No host sends a request right behind an answer that is nothing but thinking: the user speaks first. */
function continueAfterThinking(step: SessionStep): readonly SessionStep[] {
	const isOnlyThinking = step.type === "exchange" && step.blocks.every(({ type }) => type === "reasoning");
	return isOnlyThinking ? [step, { type: "user", tokens: 5 }] : [step];
}

export const anyStep = stepOf(anyBlock);
export const anySession = sessionOf(anyBlock);
export const thinkingSession = anySession.map(thinkEverywhere);
/** The model never calls `delimiter`. */
export const unmarkedSession = sessionOf(unmarkedBlock);

/** From "almost nothing fits" to "almost everything does". */
export const anySettings = fc.record({
	budget: fc.oneof(
		{ weight: 1, arbitrary: fc.integer({ min: 0, max: 400 }) },
		{ weight: 4, arbitrary: fc.integer({ min: 400, max: 4_000 }) },
		{ weight: 3, arbitrary: fc.integer({ min: 4_000, max: 40_000 }) },
	),
	fixed: fc.record({ system: fc.nat({ max: 300 }), tools: fc.nat({ max: 300 }) }),
});
