/** A pass as the session file gives it back: data that anyone may have touched. */
import { type Static, type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";
import { Check } from "typebox/value";
import { type Pass, passReasons } from "#core/log";
import { dials, isPrefixChange } from "#core/planning";
import { isOwnRelease } from "./release.ts";

/** Tokens, or another figure that is not negative. */
export const Count = Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Texts = Type.Array(Type.String());

const Marker = Type.Object({ anchor: Type.String(), text: Type.String(), tokens: Count });

const Strip = Type.Object({
	episode: Type.String(),
	level: Type.Enum([1, 2, 3, 4]),
	items: Texts,
	tokens: Count,
	marker: Type.Optional(Marker),
});

const ReductionShape = Type.Object({
	episode: Type.String(),
	item: Type.String(),
	form: Type.Enum([1, 2, 3, 4]),
	tokens: Count,
});

const BlockerShape = Type.Union([
	Type.Object({ code: Type.Enum(["fixed", "prologue", "user-turns", "exchange", "in-use"]), tokens: Count }),
	Type.Object({ code: Type.Literal("dependencies"), act: Type.String(), tokens: Count }),
	Type.Object({
		code: Type.Literal("open-episode"),
		episode: Type.String(),
		origin: Type.Enum(["declared", "inferred"]),
		tokens: Count,
	}),
	Type.Object({ code: Type.Literal("pinned-episodes"), count: Count, largest: Type.String(), tokens: Count }),
]);

const DecisionShape = Type.Object({
	reason: Type.Enum([...passReasons]),
	freed: Count,
	rewritten: Count,
	growth: Count,
	requestsToNext: Count,
	paidBackAfter: Type.Optional(Count),
});

const PassSettingsShape = Type.Object({
	isAuto: Type.Boolean(),
	lowWater: Type.Union([Type.Enum([...dials]), Count]),
	policy: Type.String(),
});

/** The settings in force when a pass was made, so that a report can replay the session under them. */
export type PassSettings = Static<typeof PassSettingsShape>;

/** A pass as its entry holds it; passes that the library made hold no settings. */
export type RecordedPass = Pass & { readonly settings?: PassSettings };

/**
 * A pass with the number that it was made with, counted from 1: one that was taken back keeps its number too. A record of a changed prefix
 * has 0, since it is no pass.
 */
export type NumberedPass = RecordedPass & { readonly number: number };

/** Leaves records of a changed prefix out of a log: they are no passes. */
export function passesIn<Entry extends Pass>(log: readonly Entry[]): readonly Entry[] {
	return log.filter((entry) => !isPrefixChange(entry));
}

/** Figures of a pass, which are shown and decide nothing: those that cannot be read are left out. */
const figures = new Map<string, TSchema>(
	Object.entries({
		reported: Type.Object({ budget: Count, before: Count, after: Count }),
		isEstimated: Type.Boolean(),
		sealedWeight: Type.Number({ exclusiveMinimum: 0 }),
		forfeited: Count,
		newest: Type.String(),
		model: Type.String(),
		decision: DecisionShape,
		settings: PassSettingsShape,
	}),
);

const PassShape = Type.Object({
	version: Type.Literal(1),
	policy: Type.String(),
	budget: Count,
	before: Count,
	after: Count,
	strips: Type.Array(Strip),
	blockers: Type.Array(BlockerShape),
	indexLines: Type.Optional(Type.Array(Type.Object({ episodes: Texts, marker: Marker }))),
	releases: Type.Optional(
		Type.Array(
			Type.Object({ item: Type.String(), head: Count, tail: Count, mark: Type.String(), tokens: Count }),
		),
	),
	reductions: Type.Optional(Type.Array(ReductionShape)),
});

/** Compiled at first use: a session holds hundreds of passes of a hundred parts each, and all are read when it is resumed. */
let compiledPass: ReturnType<typeof compilePass> | undefined;
const compilePass = () => Compile(PassShape);

/** The pass; undefined when a part of it cannot be read, or cannot be ours. */
export function readPass(data: unknown): RecordedPass | undefined {
	compiledPass ??= compilePass();
	if (!compiledPass.Check(data)) return undefined;
	const { strips, indexLines = [], releases = [] } = data;
	const lines = [...strips, ...indexLines].flatMap(({ marker }) => marker ?? []);
	if (!lines.every(({ text }) => OUR_LINE.test(text)) || !releases.every(isOwnRelease)) return undefined;
	const read: object = Object.fromEntries(
		Object.entries(data).filter(([name, value]) => Check(figures.get(name) ?? Type.Unknown(), value)),
	);
	return read as RecordedPass;
}

/**
 * Our lines begin with a bracket and hold no character that would end them, steer a terminal or turn the text; names,
 * files and descriptions in them are bounded.
 */
const OUR_LINE = /^\[(?!.*[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069]).{0,20000}$/su;
