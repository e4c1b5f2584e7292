/** The figures of a run, in the shape that `cwl replay --json` prints; README.md documents it. */
import type { FixedTokens } from "../packages/core/ledger.ts";
import { type Grounding, sumGrounding } from "./metrics/grounding.ts";
import type { Violation } from "./metrics/rules.ts";
import { type Cost, type RequestMeasure, summariseTraffic, type Traffic } from "./metrics/traffic.ts";
import type { Run } from "./run.ts";
import type { SessionResult } from "./session-result.ts";

export interface Report {
	readonly version: 1;
	readonly budget: number;
	readonly fixed: FixedTokens;
	readonly interrupted: boolean;
	readonly sessions: {
		readonly replayed: number;
		/** Sessions with `delimiter` calls; the episodes of the others are inferred. */
		readonly annotated: number;
		readonly pressed: number;
	};
	readonly problems: readonly { readonly code: string; readonly message: string }[];
	readonly damage: Run["damage"];
	readonly policies: readonly PolicyReport[];
}

interface Figures extends Traffic {
	/** Over requests under pressure only; null without any. */
	readonly pressed: Pressed | null;
	/** Over requests under pressure only. */
	readonly grounding: Grounding;
	readonly violations: number;
}

interface Pressed extends Pick<Traffic, "requests" | "meanContext" | "overBudget" | "cachedShare" | "cost"> {}

export interface PolicyReport extends Figures {
	readonly policy: string;
	/** Cost over requests under pressure, as a share of what `paper` costs there; null when that was not replayed. */
	readonly ratioToPaper: { readonly anthropic: number | null; readonly openai: number | null };
	/** The first violations, for a look at what is wrong. */
	readonly violationExamples: readonly (Violation & { readonly session: string })[];
	readonly bySession: readonly (Figures & { readonly session: string })[];
}

export interface ReportOptions {
	readonly policies: readonly { readonly name: string }[];
	/** Tokens. */
	readonly budget: number;
	readonly fixed: FixedTokens;
}

const EXAMPLES = 20;
const REFERENCE = "paper";

export function createReport(run: Run, { policies, budget, fixed }: ReportOptions): Report {
	const resultsOf = (policy: string) => run.results.filter((result) => result.policy === policy);
	const first = resultsOf(policies[0]?.name ?? "");
	const reference = summarise(resultsOf(REFERENCE), budget).pressed?.cost;
	return {
		version: 1,
		budget,
		fixed,
		interrupted: run.isInterrupted,
		sessions: {
			replayed: run.sessions,
			annotated: first.filter(({ isAnnotated }) => isAnnotated).length,
			pressed: first.filter(({ requests }) => requests.some(({ isPressed }) => isPressed)).length,
		},
		problems: run.problems.map(({ code, message }) => ({ code, message })),
		damage: run.damage,
		policies: policies.map(({ name }) => reportPolicy(name, resultsOf(name), budget, reference)),
	};
}

function reportPolicy(
	policy: string,
	results: readonly SessionResult[],
	budget: number,
	reference: Cost | undefined,
): PolicyReport {
	const figures = summarise(results, budget);
	const cost = figures.pressed?.cost;
	const violations = results.flatMap(({ session, violations }) =>
		violations.map((violation) => ({ session, ...violation })),
	);
	return {
		policy,
		...figures,
		ratioToPaper: {
			anthropic: cost && reference ? cost.anthropic / reference.anthropic : null,
			openai: cost && reference ? cost.openai / reference.openai : null,
		},
		violationExamples: violations.slice(0, EXAMPLES),
		bySession: results.map((result) => ({ session: result.session, ...summarise([result], budget) })),
	};
}

function summarise(results: readonly SessionResult[], budget: number): Figures {
	const requests = results.flatMap((result) => result.requests);
	return {
		...summariseTraffic(requests, budget),
		pressed: summarisePressed(
			requests.filter(({ isPressed }) => isPressed),
			budget,
		),
		grounding: sumGrounding(results.flatMap(({ grounding }) => grounding)),
		violations: results.reduce((sum, { violations }) => sum + violations.length, 0),
	};
}

function summarisePressed(requests: readonly RequestMeasure[], budget: number): Pressed | null {
	if (requests.length === 0) return null;
	const { requests: number, meanContext, overBudget, cachedShare, cost } = summariseTraffic(requests, budget);
	return { requests: number, meanContext, overBudget, cachedShare, cost };
}
