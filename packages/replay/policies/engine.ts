/** Policies of the engine, replayed through the same code that manages a live session. */
import { changesContext } from "#core/log";
import { type ComponentBudgets, type Policy, withAutoBudget, withComponentBudgets } from "#core/planning";
import {
	answerRecall,
	type CountTokens,
	createBoundedSession,
	defaultToolTable,
	joinRecalled,
	noOutputLimits,
	type OutputLimits,
	type RecallSession,
	readRecalled,
} from "#pi";
import type { Recall, ReplayPolicy } from "./replay-policy.ts";

interface EngineOptions {
	/** True if its agent has the recall tool. */
	readonly canRecall?: boolean;
	/** How large outputs may be when they arrive; without a limit if left out. */
	readonly outputLimits?: OutputLimits;
	/** None if left out. A hard limit can demand a pass below the budget. */
	readonly componentBudgets?: ComponentBudgets;
}

/** `create` is called once a session. */
export function enginePolicy(
	name: string,
	create: () => Policy,
	{ canRecall = false, outputLimits = noOutputLimits, componentBudgets = {} }: EngineOptions = {},
): ReplayPolicy {
	return {
		name,
		exempt: Object.keys(componentBudgets).length > 0 ? ["identity"] : [],
		open({ count, budget, isAuto, modelPrices: prices, checksThinking = false, fixed, cwd }) {
			const outputs = [{ after: "", limits: outputLimits }];
			const session = createBoundedSession(count, defaultToolTable, { outputs, cwd });
			const own = create();
			const budgeted = withComponentBudgets(isAuto ? withAutoBudget(own) : own, componentBudgets);
			const plan: Policy["plan"] = (input) => budgeted.plan({ ...input, tools: defaultToolTable });
			const policy = { ...budgeted, plan };
			const keepsLoopThinking = !checksThinking;
			const settings = { policy, budget, fixed, keepsLoopThinking, ...(prices && { prices }) };
			return (history) => {
				const given = session.asSent(history);
				const { messages, pass } = session.request(history, settings);
				const answer = { messages, given, pass: pass && changesContext(pass) ? pass : undefined };
				if (!canRecall) return answer;
				// The tool searches the whole history: the session itself drops what is evicted.
				const context = () => ({ messages: history, ...session.inspect(history) });
				let recall: Recall | undefined;
				return {
					...answer,
					recall(query) {
						recall ??= openRecall({ context: context(), whole: undefined }, count);
						return recall(query);
					},
				};
			};
		},
	};
}

/** The tool's own answers, page after page. */
function openRecall(session: RecallSession, count: CountTokens): Recall {
	return (query) => {
		const ask = (page: number) => answerRecall(session, { query, page, takesImages: false }, count);
		const first = ask(1);
		const rest = Array.from({ length: Math.max(0, first.pages - 1) }, (_, index) => ask(index + 2));
		const answers = [first, ...rest].map(({ text }) => text);
		// The arguments of a call are in the line above its result.
		const calls = answers.flatMap(readRecalled).map(({ words }) => words);
		return [...joinRecalled(answers), ...calls];
	};
}
