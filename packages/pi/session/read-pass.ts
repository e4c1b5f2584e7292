/** A pass as the session file gives it back: data that anyone may have touched. */
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { Check, Clean } from "typebox/value";
import { type Blocker, type Pass, passReasons } from "#core/log";
import { dials } from "#core/planning";
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

const blockerShapes = [
	Type.Object({ code: Type.Enum(["fixed", "prologue", "user-turns", "exchange", "in-use"]), tokens: Count }),
	Type.Object({ code: Type.Literal("dependencies"), act: Type.String(), tokens: Count }),
	Type.Object({
		code: Type.Literal("open-episode"),
		episode: Type.String(),
		origin: Type.Enum(["declared", "inferred"]),
		tokens: Count,
	}),
	Type.Object({ code: Type.Literal("pinned-episodes"), count: Count, largest: Type.String(), tokens: Count }),
] as const;

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

/** A pass with the number that it was made with, counted from 1: one that was taken back keeps its number too. */
export type NumberedPass = RecordedPass & { readonly number: number };

/** Figures of a pass, which are shown and decide nothing: those that cannot be read are left out. */
const figures = {
	reported: Type.Object({ budget: Count, before: Count, after: Count }),
	forfeited: Count,
	newest: Type.String(),
	decision: DecisionShape,
	settings: PassSettingsShape,
} as const;
const figureNames = Object.keys(figures) as readonly (keyof typeof figures)[];
const Figure = Type.Optional(Type.Unknown());

/** It has no unions, whose members typebox compares again for every value that it cleans. */
const PassShape = Type.Object({
	version: Type.Literal(1),
	policy: Type.String(),
	budget: Count,
	before: Count,
	after: Count,
	strips: Type.Array(Strip),
	blockers: Type.Array(Type.Unknown()),
	folds: Type.Optional(Type.Array(Type.Object({ episodes: Texts, marker: Marker }))),
	releases: Type.Optional(
		Type.Array(
			Type.Object({ item: Type.String(), head: Count, tail: Count, mark: Type.String(), tokens: Count }),
		),
	),
	reductions: Type.Optional(Type.Array(ReductionShape)),
	reported: Figure,
	forfeited: Figure,
	newest: Figure,
	decision: Figure,
	settings: Figure,
});

/** Compiled at first use: a session holds hundreds of passes of a hundred parts each, and all are read when it is resumed. */
let compiledPass: ReturnType<typeof compilePass> | undefined;
const compilePass = () => Compile(PassShape);

/** The pass; undefined when a part of it cannot be read, or cannot be ours. */
export function readPass(data: unknown): RecordedPass | undefined {
	compiledPass ??= compilePass();
	if (!compiledPass.Check(data)) return undefined;
	const read = structuredClone(data);
	// Fields that a later version may add do not come along.
	Clean(PassShape, read);
	const blockers = read.blockers.flatMap((blocker) => readBlocker(blocker) ?? []);
	if (blockers.length < read.blockers.length) return undefined;
	const { strips, folds = [], releases = [] } = read;
	const lines = [...strips, ...folds].flatMap(({ marker }) => marker ?? []);
	if (!lines.every(({ text }) => OUR_LINE.test(text)) || !releases.every(isOwnRelease)) return undefined;
	for (const name of figureNames) if (!Check(figures[name], read[name])) delete read[name];
	for (const name of ["folds", "reductions", "releases"] as const)
		if (read[name]?.length === 0) delete read[name];
	// What is left of the figures has been checked one by one.
	return { ...read, blockers } as RecordedPass;
}

function readBlocker(data: unknown): Blocker | undefined {
	for (const shape of blockerShapes) {
		if (!Check(shape, data)) continue;
		Clean(shape, data);
		return data;
	}
	return undefined;
}

/**
 * Our lines begin with a bracket and hold no character that would end them, steer a terminal or turn the text; names,
 * files and descriptions in them are bounded.
 */
const OUR_LINE = /^\[(?!.*[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069]).{0,20000}$/su;
