/**
 * Random scripts: operations on a session, as plain data. Every operation is valid in every state, because picks wrap around.
 * Model and user speak in steps of core's drawn sessions.
 */
import fc from "fast-check";
import { anyStep } from "../../packages/core/test-support/sessions.ts";
import { anyBudget } from "../../packages/pi/test-support/host-sessions.ts";
import type { EntryBody } from "./session-file.ts";

const pick = fc.nat({ max: 63 });
const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const value = <const T>(weight: number, constant: T) => often(weight, fc.constant(constant));

const step = fc.record({
	type: fc.constantFrom("step"),
	/** pi never writes a result of a call that there never was. */
	step: anyStep.filter(({ type }) => type !== "stray"),
	/** The forms of its messages, and their texts. */
	picks: fc.array(pick, { minLength: 1, maxLength: 6 }),
	/** An answer that fails or is aborted gets no results. */
	stopReason: fc.oneof(value(20, "toolUse"), value(1, "aborted"), value(1, "error"), value(1, "length")),
});

const rest = fc.oneof(
	fc.record({ type: fc.constantFrom("evict", "unpin", "pin", "describe"), pick }),
	/** `zone` is a pass that a zone asks for, made before the request goes out; `cold`: the provider's cache has expired. */
	fc.record({ type: fc.constantFrom("pass", "zone", "undo", "release", "resume", "reload", "cold") }),
	fc.record({ type: fc.constantFrom("recall"), pick, isByModel: fc.boolean() }),
	fc.record({ type: fc.constantFrom("budget"), budget: anyBudget }),
	/** `model`: continue with the model of another provider. */
	often(3, fc.record({ type: fc.constantFrom("policy", "outputs", "components", "fading", "model"), pick })),
	fc.record({ type: fc.constantFrom("switch"), isOn: fc.oneof(value(3, true), value(2, false)) }),
	/** Another task and other constraints, of so many characters. */
	fc.record({ type: fc.constantFrom("state"), size: fc.nat({ max: 900 }), flavour: pick }),
	/** The clock jumps, backwards too; ms. */
	fc.record({ type: fc.constantFrom("clock"), leap: fc.integer({ min: -20, max: 20 }) }),
	fc.record({ type: fc.constantFrom("fork"), pick }),
	fc.record({ type: fc.constantFrom("move"), pick, hasSummary: fc.boolean() }),
	fc.record({ type: fc.constantFrom("compact"), pick, size: fc.nat({ max: 900 }) }),
	fc.record({ type: fc.constantFrom("crash"), lines: fc.nat({ max: 6 }) }),
);

/** All but the operations is what the session begins with. `bindsThinking`: the model binds its thinking to the prefix, and rule 19 is checked. */
export const anyScript = fc.record({
	model: pick,
	budget: anyBudget,
	policy: pick,
	outputs: pick,
	components: pick,
	fading: pick,
	bindsThinking: fc.boolean(),
	operations: fc.array(fc.oneof(often(13, step), often(7, rest)), {
		minLength: 4,
		maxLength: 16,
		size: "max",
	}),
});

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Drafted = Drawn<typeof anyScript>;

/** Messages as a case of `found.json` holds them, which once broke a rule: no generator may change them. `time` in ms. */
interface Entries {
	readonly type: "entries";
	readonly time: number;
	readonly entries: readonly EntryBody[];
}

export type Operation = Drafted["operations"][number] | Entries;
export type Script = Omit<Drafted, "operations"> & { readonly operations: readonly Operation[] };
type Holding<O, T> = O extends { readonly type: infer U } ? (T extends U ? O : never) : never;
/** The operation of a type. */
export type Of<T extends Operation["type"]> = Holding<Operation, T>;

export type Choices<T> = readonly [T, ...T[]];

/** An element of a list, whatever the index; of an empty one there is none. */
export function pickFrom<T>(list: Choices<T>, index: number): T;
export function pickFrom<T>(list: readonly T[], index: number): T | undefined;
export function pickFrom<T>(list: readonly T[], index: number): T | undefined {
	return list[index % list.length];
}
