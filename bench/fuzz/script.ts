/**
 * Random scripts: operations on a session, as plain data. Every operation is valid in every state, because picks wrap around.
 * Weights keep most sessions close to what pi writes; the rest is what goes wrong.
 */
import fc from "fast-check";

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

const pick = fc.nat({ max: 63 });
const flavour = fc.nat({ max: 31 });

const between = (min: number, max: number) => fc.integer({ min, max });

/** A choice that is drawn so many times as often as one of weight 1: an arbitrary, or a value as it is. */
const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const value = <const T>(weight: number, constant: T) => often(weight, fc.constant(constant));

/** In characters, which are the tokens here. */
const size = fc.oneof(
	value(1, 0),
	often(6, between(1, 60)),
	often(5, between(100, 900)),
	often(1, between(2_000, 6_000)),
);
const budget = fc.oneof(
	often(1, between(0, 300)),
	often(6, between(300, 3_000)),
	often(2, between(3_000, 20_000)),
);

function rarely(one: number): fc.Arbitrary<boolean> {
	return fc.nat({ max: one - 1 }).map((value) => value === one - 1);
}

/** The fate of a call's result. A `late` one follows the message that interrupts the batch; a `missing` one never comes. */
type Fate = "comes" | "fails" | "late" | "missing" | "twice";

const fate: fc.Arbitrary<Fate> = fc.oneof(
	value(60, "comes"),
	value(10, "fails"),
	value(1, "late"),
	value(2, "missing"),
	value(1, "twice"),
);
const ending = fc.oneof(value(20, "well"), value(1, "aborted"), value(1, "error"), value(1, "length"));

const text = fc.record({ type: fc.constantFrom("text"), size, flavour });
const reasoning = fc.record({
	/** `sealed` thinking has no text, as Claude writes it since July 2026. */
	type: fc.oneof(value(4, "thinking"), value(2, "sealed"), value(1, "redacted")),
	size,
	flavour,
});
/** With `sameId` it uses the id of the call before again, as some local servers do. */
const call = fc.record({
	type: fc.constantFrom("call"),
	tool: pick,
	size,
	flavour,
	fate,
	sameId: rarely(60),
	hasImage: rarely(12),
});
/** Starts or ends an episode, whichever the protocol allows; `isWrong` breaks the protocol. */
const mark = fc.record({
	type: fc.constantFrom("mark"),
	kind: fc.constantFrom("expl", "act"),
	pick,
	size,
	flavour,
	isWrong: rarely(12),
});
const block = fc.oneof(often(3, text), often(3, reasoning), often(9, call), often(5, mark));

/** An answer with the results of its calls; with `steers`, a user message follows the answer's results. */
const batch = fc.record({
	type: fc.constantFrom("batch"),
	blocks: fc.array(block, { maxLength: 5 }),
	ending,
	steers: rarely(12),
});
/** A user turn in one of the forms that pi has, or a note from the host. */
const say = fc.record({ type: fc.constantFrom("say"), form: pick, size, flavour });

const rest = fc.oneof(
	fc.record({ type: fc.constantFrom("evict", "unpin", "pin", "describe"), pick }),
	/** `zone` is a pass that a zone asks for, made before the request goes out; `cold`: the provider's cache has expired. */
	fc.record({ type: fc.constantFrom("pass", "zone", "undo", "release", "resume", "reload", "cold") }),
	fc.record({ type: fc.constantFrom("recall"), pick, isByModel: fc.boolean() }),
	fc.record({ type: fc.constantFrom("budget"), budget }),
	fc.record({ type: fc.constantFrom("policy"), pick }),
	fc.record({ type: fc.constantFrom("outputs", "components", "fading"), pick }),
	fc.record({ type: fc.constantFrom("switch"), isOn: fc.oneof(value(3, true), value(2, false)) }),
	/** Another task and other constraints. */
	fc.record({ type: fc.constantFrom("state"), size, flavour }),
	/** Continue with the model of another provider. */
	fc.record({ type: fc.constantFrom("model"), pick }),
	/** The clock jumps, backwards too; ms. */
	fc.record({ type: fc.constantFrom("clock"), leap: fc.integer({ min: -20, max: 20 }) }),
	fc.record({ type: fc.constantFrom("fork"), pick }),
	fc.record({ type: fc.constantFrom("move"), pick, hasSummary: fc.boolean() }),
	fc.record({ type: fc.constantFrom("compact"), pick, size }),
	fc.record({ type: fc.constantFrom("crash"), lines: fc.nat({ max: 6 }) }),
);

const operation = fc.oneof(often(10, batch), often(3, say), often(7, rest));

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
