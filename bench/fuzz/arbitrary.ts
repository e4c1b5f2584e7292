/** Arbitrary scripts. Weights keep most sessions close to what pi writes; the rest is what goes wrong. */
import fc from "fast-check";
import type { Block, Ending, Fate, Operation, Script } from "./operations.ts";

const pick = fc.nat({ max: 63 });
const flavour = fc.nat({ max: 31 });

/** In characters, which are the tokens here. */
const size = fc.oneof(
	{ weight: 1, arbitrary: fc.constant(0) },
	{ weight: 6, arbitrary: fc.integer({ min: 1, max: 60 }) },
	{ weight: 5, arbitrary: fc.integer({ min: 100, max: 900 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 2_000, max: 6_000 }) },
);

const budget = fc.oneof(
	{ weight: 1, arbitrary: fc.integer({ min: 0, max: 300 }) },
	{ weight: 6, arbitrary: fc.integer({ min: 300, max: 3_000 }) },
	{ weight: 2, arbitrary: fc.integer({ min: 3_000, max: 20_000 }) },
);

function weighted<T>(...choices: readonly (readonly [number, T])[]): fc.Arbitrary<T> {
	return fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
}

function rarely(one: number): fc.Arbitrary<boolean> {
	return fc.nat({ max: one - 1 }).map((value) => value === one - 1);
}

const fate = weighted<Fate>([60, "comes"], [10, "fails"], [1, "late"], [2, "missing"], [1, "twice"]);
const ending = weighted<Ending>([20, "well"], [1, "aborted"], [1, "error"], [1, "length"]);

const block: fc.Arbitrary<Block> = fc.oneof(
	{ weight: 3, arbitrary: fc.record({ type: fc.constant("text" as const), size, flavour }) },
	{
		weight: 3,
		arbitrary: fc.record({
			type: weighted<"thinking" | "redacted">([4, "thinking"], [1, "redacted"]),
			size,
			flavour,
		}),
	},
	{
		weight: 9,
		arbitrary: fc.record({
			type: fc.constant("call" as const),
			tool: pick,
			size,
			flavour,
			fate,
			sameId: rarely(60),
			hasImage: rarely(12),
		}),
	},
	{
		weight: 5,
		arbitrary: fc.record({
			type: fc.constant("mark" as const),
			kind: fc.constantFrom("expl" as const, "act" as const),
			pick,
			size,
			flavour,
			isWrong: rarely(12),
		}),
	},
);

const batch = fc.record({
	type: fc.constant("batch" as const),
	blocks: fc.array(block, { maxLength: 5 }),
	ending,
	steers: rarely(12),
});
const say = fc.record({ type: fc.constant("say" as const), form: pick, size, flavour });

const picking = fc.record({ type: fc.constantFrom("evict", "unpin", "pin", "describe"), pick });
const bare = fc.record({
	type: fc.constantFrom("pass", "zone", "undo", "release", "resume", "reload", "cold"),
});

const rest: fc.Arbitrary<Operation> = fc.oneof(
	picking,
	bare,
	fc.record({ type: fc.constant("recall" as const), pick, isByModel: fc.boolean() }),
	fc.record({ type: fc.constant("budget" as const), budget }),
	fc.record({ type: fc.constant("policy" as const), pick }),
	fc.record({ type: fc.constantFrom("outputs" as const, "components" as const, "fading" as const), pick }),
	fc.record({ type: fc.constant("switch" as const), isOn: weighted([3, true], [2, false]) }),
	fc.record({ type: fc.constant("state" as const), size, flavour }),
	fc.record({ type: fc.constant("model" as const), pick }),
	fc.record({ type: fc.constant("clock" as const), leap: fc.integer({ min: -20, max: 20 }) }),
	fc.record({ type: fc.constant("fork" as const), pick }),
	fc.record({ type: fc.constant("move" as const), pick, hasSummary: fc.boolean() }),
	fc.record({ type: fc.constant("compact" as const), pick, size }),
	fc.record({ type: fc.constant("crash" as const), lines: fc.nat({ max: 6 }) }),
);

const operation: fc.Arbitrary<Operation> = fc.oneof(
	{ weight: 10, arbitrary: batch },
	{ weight: 3, arbitrary: say },
	{ weight: 7, arbitrary: rest },
);

export const anyScript: fc.Arbitrary<Script> = fc.record({
	model: pick,
	budget,
	policy: pick,
	outputs: pick,
	components: pick,
	fading: pick,
	bindsThinking: fc.boolean(),
	operations: fc.array(operation, { minLength: 4, maxLength: 16, size: "max" }),
});
