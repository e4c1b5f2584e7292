/** Twelve questions about one session of hard tasks, asked after its passes under every policy of a replay. */

import { countedTexts, loadTokenCounter } from "#pi/codec";
import { parsePolicies } from "#replay/policies";
import { createSizes, sum } from "#replay/recording";
import { markdownTable } from "#replay/report";
import { createReplayPrompt } from "#replay/run";
import { type Answers, answerQuestions, makeQuestions, type Question } from "#testing/worker";
import { parseConditions } from "./conditions.ts";
import { summarize } from "./local-agent.ts";
import { generatedStage, runCondition } from "./run.ts";

interface AskOptions {
	readonly seed: number;
	readonly tasks: number;
	/** Tokens. */
	readonly budget: number;
	readonly signal: AbortSignal;
}

export interface PolicyAnswers extends Answers {
	readonly policy: string;
	readonly passes: number;
}

export interface Asked {
	readonly questions: readonly Question[];
	readonly answers: readonly PolicyAnswers[];
}

/** The session that is replayed was made without a pass. */
const AMPLE = 10_000_000;

/** Runs the worker once, and replays its session under all policies. */
export async function askQuestions({ seed, tasks, budget, signal }: AskOptions): Promise<Asked> {
	const stage = generatedStage("hard", seed, tasks);
	const [condition] = parseConditions("paper", [AMPLE]);
	if (!condition) throw new RangeError("a list of conditions has at least one");
	const { history } = await runCondition({ ...stage, condition, seed, signal });
	const questions = makeQuestions(
		stage.tasks.map(({ prompt }) => prompt),
		history.flatMap(countedTexts),
	);
	const count = await loadTokenCounter();
	const { fixed } = createReplayPrompt(count);
	const answers = parsePolicies("all").map((policy): PolicyAnswers => {
		const project = policy.open({
			...{ count, sizes: createSizes(count), budget, fixed, summaries: [] },
			summarize: (messages, previous) => summarize(stage.worker, messages, previous),
		});
		let passes = 0;
		for (const [index, { role }] of history.entries()) {
			if (role === "assistant" && project(history.slice(0, index)).pass) passes += 1;
		}
		const { messages, recall } = project(history);
		const found = answerQuestions(questions, messages.flatMap(countedTexts), recall);
		return { policy: policy.name, passes, ...found };
	});
	return { questions, answers };
}

/** A table over all seeds. */
export function formatAnswers(asked: readonly Asked[]): readonly string[] {
	const [first] = asked;
	const rows = (first?.answers ?? []).map(({ policy }) => {
		const own = asked.flatMap(({ answers }) => answers.filter((each) => each.policy === policy));
		const lost = own.flatMap((each) => each.lost);
		const [inSight, recalled] = (["inSight", "recalled"] as const).map((key) =>
			sum(own.map((each) => each[key])),
		);
		const numbers = [...new Set(lost)].toSorted((a, b) => a - b).map((index) => index + 1);
		return [policy, `${inSight}`, `${recalled}`, `${lost.length}`, numbers.join(", ")];
	});
	const total = sum(asked.map(({ questions }) => questions.length));
	const head = ["policy", `in sight, of ${total}`, "after one recall", "lost", "which"];
	const list = first?.questions.map(({ question }, index) => `${index + 1}. ${question}`) ?? [];
	return [...markdownTable([head, ...rows]), "", ...list];
}
