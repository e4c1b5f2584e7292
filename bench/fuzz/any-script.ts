/**
 * Random scripts: operations on a session, as plain data. Every operation is valid in every state, because picks wrap around.
 * Model and user speak in steps of core's drawn sessions.
 */
import fc from "fast-check";
import { type ComponentBudgets, fadingModes } from "#core/add-ons";
import { noOutputLimits, type OutputLimits } from "#pi/outputs";
import { policyNames, type Steering } from "#pi/session";
import { readValue } from "#pi/settings";
import { anyStep } from "../../packages/core/test-support/sessions.ts";
import { hostileText } from "../../packages/pi/test-support/drawn-messages.ts";
import { anyBudget } from "../../packages/pi/test-support/host-sessions.ts";
import { wires } from "../strict/wires.ts";
import type { EntryBody } from "./session-file.ts";

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

const pick = fc.nat({ max: 63 });
const text = fc.tuple(fc.nat({ max: 900 }), pick).map(([length, flavour]) => hostileText(length, flavour));
const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const value = <const T>(weight: number, constant: T) => often(weight, fc.constant(constant));

/** Settings of the machine and the model: no entry of the session holds them. */
const settings = {
	/** The model in use, by the API that it has. */
	wire: fc.constantFrom(...wires.map(({ name }) => name)),
	outputs: fc.constantFrom<OutputLimits[]>(
		noOutputLimits,
		{ "*": 60 },
		{ "*": 400 },
		{ "*": 150, bash: 0, mystery: 1 },
	),
	/** Tokens that outputs may take; null on a machine that does not know what fits. */
	free: fc.constantFrom(null, null, 300),
	/** Shares that most sessions exceed sooner or later, and those of a profile. */
	componentBudgets: fc.constantFrom<ComponentBudgets[]>(
		{},
		readValue("componentBudgets", "coding"),
		readValue("componentBudgets", "toolResults=0.1,history=0.2,memory=0.02,output=0.3"),
		readValue("componentBudgets", "history=0.05/0.4,output=0.1/0.5"),
	),
	fading: fc.constantFrom(...fadingModes),
};
const anySettings = fc.record(settings);
export type Settings = Drawn<typeof anySettings>;

/** Settings that the user changes by command, which the session keeps. */
const policy = fc.constantFrom(...policyNames());
const steering: fc.Arbitrary<Steering> = fc.oneof(
	fc.record({ budget: anyBudget.map(String) }),
	fc.record({ policy }),
	fc.record({ enabled: fc.oneof(value(3, true), value(2, false)) }),
	fc.record({ task: text, constraints: fc.tuple(text), notedConstraints: fc.tuple(text, fc.constant("")) }),
);

const operation = fc.oneof(
	often(
		34,
		fc.record({
			type: fc.constantFrom("step"),
			/** pi never writes a result of a call that there never was. */
			step: anyStep.filter(({ type }) => type !== "stray"),
			/** The forms of its messages, and their texts. */
			picks: fc.array(pick, { minLength: 1, maxLength: 6 }),
			/** An answer that fails or is aborted gets no results. */
			stopReason: fc.oneof(value(20, "toolUse"), value(1, "aborted"), value(1, "error"), value(1, "length")),
		}),
	),
	often(2, fc.record({ type: fc.constantFrom("evict", "unpin", "pin"), pick })),
	/** `zone` is a pass that a zone asks for, made before the request goes out; `cold`: the provider's cache has expired. */
	often(
		2,
		fc.record({ type: fc.constantFrom("pass", "zone", "undo", "release", "resume", "reload", "cold") }),
	),
	often(2, fc.record({ type: fc.constantFrom("recall"), pick, isByModel: fc.boolean() })),
	often(4, fc.record({ type: fc.constantFrom("steer"), change: steering })),
	often(
		3,
		fc.record({ type: fc.constantFrom("configure"), change: fc.record(settings, { requiredKeys: [] }) }),
	),
	/** The clock jumps, backwards too; ms. */
	fc.record({ type: fc.constantFrom("clock"), leap: fc.integer({ min: -20, max: 20 }) }),
	fc.record({ type: fc.constantFrom("fork"), pick }),
	fc.record({ type: fc.constantFrom("move"), pick, hasSummary: fc.boolean() }),
	often(2, fc.record({ type: fc.constantFrom("compact", "describe"), pick, text })),
	fc.record({ type: fc.constantFrom("crash"), lines: fc.nat({ max: 6 }) }),
);

/** All but the operations is what the session begins with. `bindsThinking`: the model binds its thinking to the prefix, and rule 19 is checked. */
export const anyScript = fc.record({
	budget: anyBudget,
	policy,
	settings: anySettings,
	bindsThinking: fc.boolean(),
	operations: fc.array(operation, { minLength: 4, maxLength: 16, size: "max" }),
});

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
