/** The cost of the demo's session under cwl, under pi's own compaction and without eviction, and what each still knows at the end. */

import { answerQuestions, makeQuestions, type Question } from "#loopback/worker";
import { CwlError } from "#pi";
import { countedTexts } from "#pi/codec";
import { formatTokens } from "#pi/screen";
import { createReport, type Report } from "#replay/report";
import { createLocalRunner, openReplay, type ReplayedRequest, runReplays } from "#replay/run";

/** Counts of questions. */
export interface DemoAnswers {
	/** The last request holds the answer. */
	readonly inContext: number;
	/** The last request or one recall gives the answer; absent where there is no recall tool. */
	readonly withRecall?: number;
}

export interface DemoCost {
	readonly name: "cwl" | "pi's compaction" | "no eviction";
	/** Input tokens of all requests, those of the compaction's own summaries included. */
	readonly tokens: number;
	/** At the prices of the model. */
	readonly dollars: number;
	/** Tokens of each request. */
	readonly contexts: readonly number[];
	readonly answers: DemoAnswers;
}

export interface DemoCosts {
	/** `provider/id` in pi's model table. */
	readonly model: string;
	/** cwl first. */
	readonly costs: readonly [DemoCost, DemoCost, DemoCost];
	readonly questions: readonly Question[];
}

type Compare = (
	files: readonly string[],
	prompts: readonly string[],
	signal: AbortSignal,
) => Promise<DemoCosts | undefined>;

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
		return (files, prompts, signal) => compareCosts(files, prompts, setup, signal);
	} catch (error) {
		if (error instanceof CwlError && error.code === "no-pi") return undefined;
		throw error;
	}
}

async function compareCosts(
	paths: readonly string[],
	prompts: readonly string[],
	setup: Awaited<ReturnType<typeof openReplay>>,
	signal: AbortSignal,
): Promise<DemoCosts | undefined> {
	const last = new Map<string, ReplayedRequest>();
	const run = await runReplays({
		paths,
		createRunners: () => [createLocalRunner(setup, (arm, request) => last.set(arm.name, request))],
		signal,
		onProgress: () => {},
	});
	const report = createReport(run, setup.settings);
	const [cwl, compaction, none] = report.policies;
	if (report.interrupted || !cwl || !compaction || !none) return undefined;
	const held = last.get(setup.arms[0]?.name ?? "")?.history ?? [];
	const questions = makeQuestions(prompts, held.flatMap(countedTexts));
	const costOf = (name: DemoCost["name"], figures: Report["policies"][number], arm: number): DemoCost => ({
		name,
		contexts: run.replays[0]?.results[arm]?.contexts ?? [],
		answers: countAnswers(questions, last.get(setup.arms[arm]?.name ?? "")),
		tokens: figures.tokensProcessed + figures.extraCalls.input,
		dollars: figures.dollars[MODEL] ?? 0,
	});
	return {
		model: MODEL,
		costs: [costOf("cwl", cwl, 0), costOf("pi's compaction", compaction, 1), costOf("no eviction", none, 2)],
		questions,
	};
}

function countAnswers(questions: readonly Question[], request: ReplayedRequest | undefined): DemoAnswers {
	const texts = request?.messages.flatMap(countedTexts) ?? [];
	const { inSight, recalled } = answerQuestions(questions, texts, request?.recall);
	return { inContext: inSight, ...(request?.recall && { withRecall: inSight + recalled }) };
}

/** A sentence with the verdict, then a line for each way of working and for each question. */
export function describeCosts({ model, costs, questions }: DemoCosts): string {
	const [cwl, compaction, none] = costs;
	const share = (count: number) => `${count} of ${questions.length}`;
	const rows = [
		["", "cost", "largest request", "answered at once", "with a recall"],
		...costs.map(({ name, dollars, contexts, answers: { inContext, withRecall } }) => [
			...[name, `$${dollars.toFixed(2)}`, formatTokens(Math.max(0, ...contexts)), share(inContext)],
			withRecall === undefined ? "no recall" : share(withRecall),
		]),
	];
	const cell = (text: string, column: number) => {
		const width = Math.max(...rows.map((row) => row[column]?.length ?? 0));
		return column === 0 ? text.padEnd(width) : text.padStart(width);
	};
	const comparison = `${compareDollars(cwl, compaction)} and ${compareDollars(cwl, none)}`;
	return [
		`At the prices of ${model}, this session costs ${comparison}.`,
		"",
		...rows.map((row) => `  ${row.map(cell).join("  ").trimEnd()}`),
		"Each line is a replay of this session; cwl and pi's compaction have the same budget. The replay of compaction has pi's lists of files, and filler instead of a model's summary; a real summary can hold more answers.",
		"",
		"Asked after the last task, about the first ones:",
		...questions.map(({ question, answer }) => `  ${question}: ${answer}`),
		"",
	].join("\n");
}

/** `60 % less than with no eviction`. */
function compareDollars(cwl: DemoCost, other: DemoCost): string {
	const share = other.dollars === 0 ? 0 : Math.round((cwl.dollars / other.dollars - 1) * 100);
	if (share === 0) return `the same as with ${other.name}`;
	return `${Math.abs(share)} % ${share < 0 ? "less" : "more"} than with ${other.name}`;
}
