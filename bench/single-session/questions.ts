/** Twelve questions about one session of hard tasks, asked after its passes under every policy of a replay. */
import { type Answers, answerQuestions, makeQuestions, type Question } from "#loopback/worker";
import { countedTexts, loadTokenCounter } from "#pi/codec";
import { parsePolicies, type ReplayPolicy } from "#replay/policies";
import { createSizes, sum } from "#replay/recording";
import { markdownTable } from "#replay/report";
import { createReplayPrompt } from "#replay/run";
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
	const { history } = await runCondition({ ...stage, condition, seed, signal, onProgress: () => {} });
	const questions = makeQuestions(
		stage.tasks.map(({ prompt }) => prompt),
		history.flatMap(countedTexts),
	);
	const count = await loadTokenCounter();
	const summary: Parameters<ReplayPolicy["open"]>[0]["summarize"] = (messages, previous) =>
		summarize(stage.worker, messages, previous);
	const ask = async (policy: ReplayPolicy): Promise<PolicyAnswers> => {
		const { fixed } = createReplayPrompt(count);
		const sizes = createSizes(count);
		const project = policy.open({ count, sizes, budget, fixed, summaries: [], summarize: summary });
		let passes = 0;
		for (const [index, { role }] of history.entries()) {
			if (role === "assistant" && project(history.slice(0, index)).pass) passes += 1;
		}
		const last = project(history);
		const texts = last.messages.flatMap(countedTexts);
		return { policy: policy.name, passes, ...answerQuestions(questions, texts, last.recall) };
	};
	const answers: PolicyAnswers[] = [];
	for (const policy of parsePolicies("all")) answers.push(await ask(policy));
	return { questions, answers };
}

/** A table over all seeds. Ends with a newline. */
export function formatAnswers(asked: readonly Asked[]): string {
	const total = sum(asked.map(({ questions }) => questions.length));
	const rows = asked[0]?.answers.map(({ policy }) => {
		const own = asked.flatMap(({ answers }) => answers.filter((each) => each.policy === policy));
		const lost = own.flatMap((each) => each.lost);
		const counts = [
			sum(own.map(({ inSight }) => inSight)),
			sum(own.map(({ recalled }) => recalled)),
			lost.length,
		];
		const numbers = [...new Set(lost)].toSorted((a, b) => a - b).map((index) => index + 1);
		return [policy, ...counts.map(String), numbers.join(", ")];
	});
	const head = ["policy", `in sight, of ${total}`, "after one recall", "lost", "which"];
	const list = asked[0]?.questions.map(({ question }, index) => `${index + 1}. ${question}`) ?? [];
	return [...markdownTable([head, ...(rows ?? [])]), "", ...list, ""].join("\n");
}
