/** The figures of a run, in the shape that `cwl replay --json` prints; docs/replay.md documents it. */
import type { FixedTokens } from "#core/ledger";
import type { Comparison } from "../metrics/comparison.ts";
import type { Violation } from "../metrics/rules.ts";
import type { Traffic } from "../metrics/traffic.ts";
import type { Annotation, AnnotationCount } from "../recording/annotation.ts";
import type { Run } from "../run/run.ts";
import type { Sums } from "../run/session-result.ts";

export interface Report {
	readonly version: 2;
	/** The answer in a sentence. */
	readonly verdict: string;
	/** Name of the model that the sessions are replayed as. */
	readonly as: string | null;
	/** Tokens; a session is under pressure from the first request whose whole history passes it. */
	readonly budget: number;
	readonly fixed: FixedTokens;
	readonly annotate: Annotation;
	readonly interrupted: boolean;
	readonly sessions: {
		/** Those that could not be replayed, or not before an interrupt, included. */
		readonly planned: number;
		readonly replayed: number;
		/** The number of replayed sessions in each format. */
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

/** The figures of one policy over some sessions; `grounding` over requests under pressure only. */
export interface Figures extends Traffic, Pick<Sums, "grounding" | "faults" | "thinking"> {
	/** Over requests under pressure only; null without any. */
	readonly pressed: Pressed | null;
	readonly violations: number;
	/**
	 * Cost over requests under pressure, as a share of what `none` costs there, at the prices of the first model or else
	 * Anthropic-like ones; null when that was not replayed.
	 */
	readonly costComparedToNone: number | null;
}

export type Pressed = Omit<
	Traffic,
	"tokensProcessed" | "maxContext" | "passes" | "prefixBreaks" | "extendShare"
>;

export interface PolicyReport extends Figures {
	readonly policy: string;
	/** The policy's own budget in tokens; with an automatic budget the most that it may be. */
	readonly budget: number;
	readonly isAuto: boolean;
	/** Sessions that cost over 1.02 times as much under pressure as with `none`; null when that was not replayed. */
	readonly sessionsMoreExpensive: number | null;
	/** Cost as a share of that of `paper`, and what is kept less what `paper` keeps; null when that was not replayed. */
	readonly versusPaper: Comparison | null;
	/** The first violations, as examples of what is wrong. */
	readonly violationExamples: readonly (Violation & { readonly session: string })[];
	readonly bySession: readonly (Figures & { readonly session: string })[];
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
