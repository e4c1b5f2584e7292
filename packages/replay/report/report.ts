/** The figures of a run, in the shape that `cwl replay --json` prints; docs/replay.md documents it. */
import type { FixedTokens } from "#core/ledger";
import type { Comparison } from "../metrics/comparison.ts";
import type { Faults } from "../metrics/faults.ts";
import type { Grounding } from "../metrics/grounding.ts";
import type { MissedEdits } from "../metrics/missed-edits.ts";
import type { Repair } from "../metrics/repair.ts";
import type { Violation } from "../metrics/rules.ts";
import type { ThinkingFigures } from "../metrics/thinking.ts";
import type { Cost, PassTimes, Traffic } from "../metrics/traffic.ts";
import type { Annotation, AnnotationCount } from "../recording/annotation.ts";
import type { Chaining } from "../recording/chain-sessions.ts";
import type { Run } from "../run/run.ts";

export interface Report {
	readonly version: 1;
	/** The answer in a sentence. */
	readonly verdict: string;
	/** Name of the model that the sessions are replayed as. */
	readonly as: string | null;
	/** Tokens; a session is under pressure from the first request whose whole history passes it. */
	readonly budget: number;
	readonly fixed: FixedTokens;
	readonly annotate: Annotation;
	readonly chain: Chaining | null;
	readonly interrupted: boolean;
	readonly sessions: {
		/** Those that could not be replayed, or not before an interrupt, included. */
		readonly planned: number;
		readonly replayed: number;
		/** Of those replayed, how many were recorded in which format. */
		readonly formats: Readonly<Record<string, number>>;
		/** Sessions whose episodes `delimiter` calls mark; those of the others are inferred. */
		readonly annotated: number;
		readonly pressed: number;
	};
	/** Replies of the sessions that were recorded with delimiters; null when there is no such session. */
	readonly annotationOnly: (AnnotationCount & { readonly share: number | null }) | null;
	readonly problems: Run["problems"];
	readonly damage: Run["damage"];
	readonly policies: readonly PolicyReport[];
	/** The setting to take, where budgets were swept (`--what-if`). */
	readonly advice: Advice | null;
}

/** The figures of one policy over some sessions. */
export interface Figures extends Traffic {
	readonly passMs: PassTimes;
	/** Over requests under pressure only; null without any. */
	readonly pressed: Pressed | null;
	/** Over requests under pressure only. */
	readonly grounding: Grounding;
	/** Over requests under pressure only. */
	readonly missedEdits: MissedEdits;
	/** Outputs that left, and recorded calls that repeat one of them while it was gone. */
	readonly faults: Faults;
	/** Tokens that left a request, each counted once. */
	readonly savedOnce: number;
	readonly violations: number;
	/** Over the requests from the first pass or prefix break on. */
	readonly thinking: ThinkingFigures;
}

/**
 * Cost over requests under pressure, as a share of what `none` costs there, at the prices of the first model or else
 * Anthropic-like ones; null when that was not replayed.
 */
interface Compared {
	readonly costComparedToNone: number | null;
}

type PressedTraffic = Pick<
	Traffic,
	| "requests"
	| "meanContext"
	| "overBudget"
	| "cachedShare"
	| "modeledSeconds"
	| "cost"
	| "dollars"
	| "extraCalls"
>;

export interface Pressed extends PressedTraffic {
	/** Further requests that would fetch the missing needs back, and their tokens. */
	readonly repair: Pick<Repair, "requests" | "tokens">;
	/** The cost with these requests. */
	readonly costWithRepair: Cost;
}

export interface PolicyReport extends Figures, Compared {
	readonly policy: string;
	/** The policy's own budget in tokens; with an automatic budget the most that it may be. */
	readonly budget: number;
	readonly isAuto: boolean;
	/** Sessions that cost over 1.02 times as much under pressure as with `none`; null when that was not replayed. */
	readonly sessionsMoreExpensive: number | null;
	/** Cost over requests under pressure, as a share of what `paper` costs there; null when that was not replayed. */
	readonly ratioToPaper: { readonly anthropic: number | null; readonly openai: number | null };
	/** The same with intervals, and what is kept less what `paper` keeps; null when that was not replayed. */
	readonly versusPaper: Comparison | null;
	/** The first violations, for a look at what is wrong. */
	readonly violationExamples: readonly (Violation & { readonly session: string })[];
	readonly bySession: readonly (Figures & Compared & { readonly session: string })[];
}

export interface Advice {
	readonly policy: string;
	/** Tokens; with an automatic budget the most that it may be. */
	readonly budget: number;
	/** The settings to paste, as JSON under the key `cwl`. */
	readonly setting: string;
	/** In two or three sentences, with the figures that speak for it. */
	readonly reason: string;
}
