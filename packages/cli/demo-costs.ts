/** The cost of the demo's session under cwl, under pi's own compaction and without eviction, and what each still knows at the end. */

import { formatTokens } from "#basics";
import { CwlError } from "#pi";
import { countedTexts } from "#pi/codec";
import { compareTo, createReport, layOutTable } from "#replay/report";
import { createLocalRunner, openReplay, type ReplayedRequest, runReplays } from "#replay/run";
import { type CostArm, makeReport } from "#replay/session-report";
import { answerQuestions, makeQuestions, type Question } from "#testing/worker";

interface DemoCost {
	readonly name: "cwl" | "pi's compaction" | "no eviction";
	/** Input tokens of all requests, those of the compaction's own summaries included. */
	readonly tokens: number;
	/** At the prices of the model, as `cwl report` has them: cwl as it was sent, the others replayed. */
	readonly dollars: number;
	/** Tokens of each request. */
	readonly contexts: readonly number[];
	readonly answers: ReturnType<typeof countAnswers>;
}

/** The model whose prices the comparison has. */
const MODEL = "anthropic/claude-sonnet-4-6";

/**
 * Prepares a replay of session files under the three policies; its result is undefined when the signal fires before the
 * end. Returns undefined where pi's prices are not installed. `budget` in tokens, for cwl and for pi's compaction; an
 * automatic one follows from the prices.
 */
export async function prepareComparison(budget: number | "auto") {
	try {
		const setup = await openReplay({
			...{ policies: "cwl,compaction,none", budgets: budget === "auto" ? [] : [budget], isSweep: false },
			models: [MODEL],
			as: budget === "auto" ? MODEL : undefined,
			annotation: "recorded",
			requests: undefined,
			withContexts: true,
		});
		return (files: readonly string[], prompts: readonly string[], signal: AbortSignal) =>
			compareCosts(files, prompts, setup, signal);
	} catch (error) {
		if (error instanceof CwlError && error.code === "no-pi") return undefined;
		throw error;
	}
}

export type DemoCosts = NonNullable<Awaited<ReturnType<typeof compareCosts>>>;

async function compareCosts(
	paths: readonly string[],
	prompts: readonly string[],
	setup: Awaited<ReturnType<typeof openReplay>>,
	signal: AbortSignal,
) {
	const last = new Map<string, ReplayedRequest>();
	const run = await runReplays({
		paths,
		createRunners: () => [createLocalRunner(setup, (arm, request) => last.set(arm.name, request))],
		signal,
		onProgress: () => {},
	});
	const report = createReport(run, setup.settings);
	if (report.interrupted) return undefined;
	const { costs } = await makeReport(paths[0] ?? "", { isRedacted: false });
	const armOf = (kind: string) => costs.arms.find((arm) => arm.kind === kind);
	const held = last.get(setup.arms[0]?.name ?? "")?.history ?? [];
	const questions = makeQuestions(prompts, held.flatMap(countedTexts));
	const costOf = (name: DemoCost["name"], own: CostArm | undefined, index: number): DemoCost => {
		const summaries = report.policies[index]?.extraCalls.input ?? 0;
		return {
			name,
			contexts: own?.sizes ?? [],
			answers: countAnswers(questions, last.get(setup.arms[index]?.name ?? "")),
			tokens: (own?.sizes ?? []).reduce((sum, size) => sum + size, summaries),
			dollars: own?.total ?? 0,
		};
	};
	const [sent, compacted, whole] = [armOf("sent") ?? armOf("none"), armOf("compaction"), armOf("none")];
	return {
		/** `provider/id` in pi's model table. */
		model: MODEL,
		costs: [
			costOf("cwl", sent, 0),
			costOf("pi's compaction", compacted, 1),
			costOf("no eviction", whole, 2),
		] as const,
		questions,
	};
}

function countAnswers(questions: readonly Question[], request: ReplayedRequest | undefined) {
	const texts = request?.messages.flatMap(countedTexts) ?? [];
	const { inSight, recalled } = answerQuestions(questions, texts, request?.recall);
	/** Questions that the last request answers; with one recall too, where there is a recall tool. */
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
	const comparison = `${compareTo(cwl.dollars, compaction.dollars, "pi's own compaction")} and ${compareTo(cwl.dollars, none.dollars, "no eviction")}`;
	return [
		`At the prices of ${model}, this session costs ${comparison}.`,
		"",
		...layOutTable(rows, Number.POSITIVE_INFINITY).map((line) => `  ${line}`),
		"The cost of cwl is that of what was sent, the others are replays of its steps, as in `cwl report`; cwl and pi's compaction have the same budget. The replay of compaction has pi's lists of files, and filler instead of a model's summary; a real summary can hold more answers.",
		"",
		"Asked after the last task, about the first ones:",
		...questions.map(({ question, answer }) => `  ${question}: ${answer}`),
		"",
	].join("\n");
}
