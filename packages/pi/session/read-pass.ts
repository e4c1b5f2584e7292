/** A pass as the session file gives it back: data that anyone may have touched. */
import { type Static, type TSchema, Type } from "typebox";
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

const FadeShape = Type.Object({
	episode: Type.String(),
	item: Type.String(),
	age: Type.Enum([1, 2, 3, 4]),
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

/** Versions up to 0.1 kept words in place of a code. */
const BlockerText = Type.Object({ what: Type.String(), tokens: Count, remedy: Type.String() });

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

/** A pass as its entry holds it; entries of older versions hold no settings. */
export type RecordedPass = Pass & { readonly settings?: PassSettings };

/** Without unions, whose members typebox compares again for every value that it cleans. */
const PassShape = Type.Object({
	version: Type.Literal(1),
	policy: Type.String(),
	budget: Count,
	reportedBudget: Type.Optional(Type.Unknown()),
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
	fades: Type.Optional(Type.Array(FadeShape)),
	lastResort: Type.Optional(Texts),
	forfeited: Type.Optional(Type.Unknown()),
	newest: Type.Optional(Type.Unknown()),
	decision: Type.Optional(Type.Unknown()),
	settings: Type.Optional(Type.Unknown()),
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
	const { version, policy, budget, before, after, strips, folds, fades, releases, lastResort } = read;
	const lines = [...strips, ...(folds ?? [])].flatMap(({ marker }) => marker ?? []);
	if (!lines.every(({ text }) => OUR_LINE.test(text)) || !(releases ?? []).every(isOwnRelease))
		return undefined;
	// The figures of a pass are told, not acted on: those that cannot be read are left out.
	const reportedBudget = readAs(Count, read.reportedBudget);
	const forfeited = readAs(Count, read.forfeited);
	const newest = readAs(Type.String(), read.newest);
	const decision = readAs(DecisionShape, read.decision);
	const settings = readAs(PassSettingsShape, read.settings);
	return {
		...{ version, policy, budget, before, after, strips },
		...(reportedBudget !== undefined && { reportedBudget }),
		...(folds?.length && { folds }),
		...(fades?.length && { fades }),
		...(releases?.length && { releases }),
		...(lastResort?.length && { lastResort }),
		...(forfeited !== undefined && { forfeited }),
		...(newest !== undefined && { newest }),
		blockers,
		...(decision && { decision }),
		...(settings && { settings }),
	};
}

function readBlocker(data: unknown): Blocker | undefined {
	for (const shape of [...blockerShapes, BlockerText]) {
		const blocker = readAs(shape, data);
		if (!blocker) continue;
		Clean(shape, blocker);
		return "code" in blocker ? blocker : { code: "in-use", tokens: blocker.tokens };
	}
	return undefined;
}

/** The value if it has the shape; undefined otherwise. */
function readAs<S extends TSchema>(schema: S, value: unknown): Static<S> | undefined {
	return Check(schema, value) ? value : undefined;
}

/**
 * Our lines begin with a bracket and hold no character that would end them, steer a terminal or turn the text; names,
 * files and descriptions in them are bounded.
 */
const OUR_LINE = /^\[(?!.*[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069]).{0,20000}$/su;
