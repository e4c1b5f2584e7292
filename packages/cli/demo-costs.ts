/** The cost of the demo's session under cwl, under pi's own compaction and without eviction. */

import { CwlError, formatTokens } from "#pi";
import { createLocalRunner, createReport, openReplay, type Report, runReplays } from "#replay";

export interface DemoCost {
	readonly name: "cwl" | "pi's compaction" | "no eviction";
	/** Input tokens of all requests, those of the compaction's own summaries included. */
	readonly tokens: number;
	/** At the prices of the model. */
	readonly dollars: number;
	/** Tokens of each request. */
	readonly contexts: readonly number[];
}

export interface DemoCosts {
	/** `provider/id` in pi's model table. */
	readonly model: string;
	/** cwl first. */
	readonly costs: readonly [DemoCost, DemoCost, DemoCost];
}

type Compare = (files: readonly string[], signal: AbortSignal) => Promise<DemoCosts | undefined>;

/** The model whose prices the comparison has. */
const MODEL = "anthropic/claude-sonnet-4-6";

/**
 * Prepares a replay of session files under the three policies; its result is undefined when the signal fires before the
 * end. Returns undefined where pi's prices are not installed. `budget` in tokens, for cwl and for pi's compaction; an
 * automatic one follows from the prices.
 */
export async function prepareComparison(budget: number | "auto"): Promise<Compare | undefined> {
	try {
		const setup = await openReplay({
			comparison: { type: "policies", policies: "cwl,compaction,none", budget },
			models: [MODEL],
			as: budget === "auto" ? MODEL : undefined,
			annotation: "recorded",
			requests: undefined,
			withContexts: true,
		});
		return (files, signal) => compareCosts(files, setup, signal);
	} catch (error) {
		if (error instanceof CwlError && error.code === "no-pi") return undefined;
		throw error;
	}
}

async function compareCosts(
	paths: readonly string[],
	setup: Awaited<ReturnType<typeof openReplay>>,
	signal: AbortSignal,
): Promise<DemoCosts | undefined> {
	const run = await runReplays({
		paths,
		createRunners: () => [createLocalRunner(setup)],
		signal,
		onProgress: () => {},
	});
	const report = createReport(run, setup.settings);
	const [cwl, compaction, none] = report.policies;
	if (report.interrupted || !cwl || !compaction || !none) return undefined;
	const costOf = (name: DemoCost["name"], figures: Report["policies"][number], arm: number): DemoCost => ({
		name,
		contexts: run.replays[0]?.results[arm]?.contexts ?? [],
		tokens: figures.tokensProcessed + figures.extraCalls.input,
		dollars: figures.dollars[MODEL] ?? 0,
	});
	return {
		model: MODEL,
		costs: [costOf("cwl", cwl, 0), costOf("pi's compaction", compaction, 1), costOf("no eviction", none, 2)],
	};
}

/** A sentence with the verdict, then a line for each way of working. */
export function describeCosts({ model, costs }: DemoCosts): string {
	const [cwl, compaction, none] = costs;
	const comparison = `${compareDollars(cwl, compaction)} and ${compareDollars(cwl, none)}`;
	return [
		`At the prices of ${model}, this session costs ${comparison}.`,
		"",
		...costs.map(({ name, tokens, dollars }) => {
			const size = `${formatTokens(tokens)} input tokens`.padStart(19);
			return `  ${name.padEnd(16)}${size}  $${dollars.toFixed(2)}`;
		}),
		"  Each line is a replay of this session; cwl and pi's compaction have the same budget.",
		"",
	].join("\n");
}

/** `60 % less than with no eviction`. */
function compareDollars(cwl: DemoCost, other: DemoCost): string {
	const share = other.dollars === 0 ? 0 : Math.round((cwl.dollars / other.dollars - 1) * 100);
	if (share === 0) return `the same as with ${other.name}`;
	return `${Math.abs(share)} % ${share < 0 ? "less" : "more"} than with ${other.name}`;
}
