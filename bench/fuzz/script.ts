/**
 * Random scripts: operations on a session, as plain data. Every operation is valid in every state, because picks wrap around.
 * Weights keep most sessions close to what pi writes; the rest is what goes wrong.
 */
import fc from "fast-check";

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

const pick = fc.nat({ max: 63 });
const flavour = fc.nat({ max: 31 });

function oneOf<const A extends readonly (readonly [number, fc.Arbitrary<unknown>])[]>(...choices: A) {
	type Each = A[number] extends readonly [number, infer One] ? One : never;
	return fc.oneof(
		...choices.map(([weight, arbitrary]) => ({ weight, arbitrary: arbitrary as fc.Arbitrary<Drawn<Each>> })),
	);
}

function between(min: number, max: number): fc.Arbitrary<number> {
	return fc.integer({ min, max });
}

/** In characters, which are the tokens here. */
const size = oneOf(
	[1, fc.constant(0)],
	[6, between(1, 60)],
	[5, between(100, 900)],
	[1, between(2_000, 6_000)],
);
const budget = oneOf([1, between(0, 300)], [6, between(300, 3_000)], [2, between(3_000, 20_000)]);

function weighted<T>(...choices: readonly (readonly [number, T])[]): fc.Arbitrary<T> {
	return fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
}

function rarely(one: number): fc.Arbitrary<boolean> {
	return fc.nat({ max: one - 1 }).map((value) => value === one - 1);
}

function kind<const T extends string>(...types: readonly T[]): fc.Arbitrary<T> {
	return types.length === 1 ? fc.constant(types[0] as T) : fc.constantFrom(...types);
}

/** The fate of a call's result. A `late` one follows the message that interrupts the batch; a `missing` one never comes. */
export type Fate = "comes" | "fails" | "late" | "missing" | "twice";

const fate = weighted<Fate>([60, "comes"], [10, "fails"], [1, "late"], [2, "missing"], [1, "twice"]);
type Ending = "well" | "aborted" | "error" | "length";
const ending = weighted<Ending>([20, "well"], [1, "aborted"], [1, "error"], [1, "length"]);

const text = fc.record({ type: kind("text"), size, flavour });
const reasoning = fc.record({
	type: weighted<"thinking" | "redacted">([4, "thinking"], [1, "redacted"]),
	size,
	flavour,
});
/** With `sameId` it uses the id of the call before again, as some local servers do. */
const call = fc.record({
	...{ type: kind("call"), tool: pick, size, flavour, fate },
	...{ sameId: rarely(60), hasImage: rarely(12) },
});
/** Starts or ends an episode, whichever the protocol allows; `isWrong` breaks the protocol. */
const mark = fc.record({
	...{ type: kind("mark"), kind: kind("expl", "act"), pick, size, flavour },
	isWrong: rarely(12),
});
const block = oneOf([3, text], [3, reasoning], [9, call], [5, mark]);

/** An answer with the results of its calls; with `steers`, a user message follows the answer's results. */
const batch = fc.record({
	type: kind("batch"),
	blocks: fc.array(block, { maxLength: 5 }),
	ending,
	steers: rarely(12),
});
/** A user turn in one of the forms that pi has, or a note from the host. */
const say = fc.record({ type: kind("say"), form: pick, size, flavour });

const rest = fc.oneof(
	fc.record({ type: kind("evict", "unpin", "pin", "describe"), pick }),
	/** `zone` is a pass that a zone asks for, made before the request goes out; `cold`: the provider's cache has expired. */
	fc.record({ type: kind("pass", "zone", "undo", "release", "resume", "reload", "cold") }),
	fc.record({ type: kind("recall"), pick, isByModel: fc.boolean() }),
	fc.record({ type: kind("budget"), budget }),
	fc.record({ type: kind("policy"), pick }),
	fc.record({ type: kind("outputs", "components", "fading"), pick }),
	fc.record({ type: kind("switch"), isOn: weighted([3, true], [2, false]) }),
	/** Another task and other constraints. */
	fc.record({ type: kind("state"), size, flavour }),
	/** Continue with the model of another provider. */
	fc.record({ type: kind("model"), pick }),
	/** The clock jumps, backwards too; ms. */
	fc.record({ type: kind("clock"), leap: fc.integer({ min: -20, max: 20 }) }),
	fc.record({ type: kind("fork"), pick }),
	fc.record({ type: kind("move"), pick, hasSummary: fc.boolean() }),
	fc.record({ type: kind("compact"), pick, size }),
	fc.record({ type: kind("crash"), lines: fc.nat({ max: 6 }) }),
);

const operation = oneOf([10, batch], [3, say], [7, rest]);

/** All but the operations is what the session begins with. `bindsThinking`: the model binds its thinking to the prefix, and rule 19 is checked. */
export const anyScript = fc.record({
	model: pick,
	budget,
	policy: pick,
	outputs: pick,
	components: pick,
	fading: pick,
	bindsThinking: fc.boolean(),
	operations: fc.array(operation, { minLength: 4, maxLength: 16, size: "max" }),
});

export type Block = Drawn<typeof block>;
export type Operation = Drawn<typeof operation>;
export type Script = Drawn<typeof anyScript>;
type Holding<O, T> = O extends { readonly type: infer U } ? (T extends U ? O : never) : never;
/** The operation of a type. */
export type Of<T extends Operation["type"]> = Holding<Operation, T>;

export function choose<T>(list: readonly [T, ...T[]], index: number): T {
	return list[index % list.length] ?? list[0];
}

export function pickFrom<T>(list: readonly T[], index: number): T | undefined {
	return list[index % list.length];
}

/** Units of plain texts, and of texts that break careless code. */
const units = [
	"x",
	"plain words ",
	"😀",
	"e\u0301",
	"half \ud83d",
	"\u202eabc\u202c",
	"\u2028",
	"line\r\n",
	'[expl "fake", evicted 9k] ',
	'--- "a#1" result, lines 1-2 of 3\n',
	"\u0000\u001b[31m",
	"__proto__ ",
	"<thinking>",
	" ",
];

/** A text of `length` characters, the same for the same arguments. Half of the flavours are plain. */
export function textOf(length: number, flavourOf: number): string {
	const unit = units[flavourOf] ?? "x";
	return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

const names = ["__proto__", "constructor", 'say "hi"', "two\nlines", "  padded ", "épisode ☃ 𝒳", "1.0"];

/** The name of the episode with this index in a session. */
export function episodeName(index: number): string {
	return names[index] ?? `episode ${index}`;
}

export interface Use {
	readonly tool: string;
	readonly args: Record<string, unknown>;
}

/** The arguments of tool calls. */
export const uses: readonly [Use, ...Use[]] = [
	{ tool: "read", args: { path: "a.ts" } },
	{ tool: "read", args: { path: "b.ts", offset: 3 } },
	{ tool: "grep", args: { pattern: "x" } },
	{ tool: "ls", args: {} },
	{ tool: "edit", args: { path: "a.ts", oldText: "a", newText: "b" } },
	{ tool: "write", args: { path: "c.ts", content: "some lines\nof text" } },
	{ tool: "bash", args: { command: "ls -la | head" } },
	{ tool: "bash", args: { command: "rm -rf build" } },
	{ tool: "mystery", args: { __proto__: null } },
	{ tool: "constructor", args: { name: "x" } },
];
