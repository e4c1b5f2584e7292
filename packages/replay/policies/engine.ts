/** Policies of the engine, replayed through the same code that manages a live session. */
import { changesContext } from "#core/log";
import type { Dial, Layer, Policy } from "#core/planning";
import { noOutputLimits, type OutputLimits } from "#pi/outputs";
import { answerRecall } from "#pi/recall";
import { createManagedSession } from "#pi/session";
import type { ReplayPolicy } from "./replay-policy.ts";

interface EngineOptions {
	/** How large outputs may be when they arrive; without a limit if left out. */
	readonly outputLimits?: OutputLimits;
	/** Add-ons around the policy; none if left out. */
	readonly layers?: readonly Layer[];
	/** True if an add-on can demand a pass below the budget. */
	readonly passesBelowBudget?: boolean;
	/** How much a second look is feared, or where passes stop; `balanced` if left out. */
	readonly lowWater?: Dial | number;
}

/** `create` is called once a session. */
export function enginePolicy(
	name: string,
	create: () => Policy,
	{ outputLimits = noOutputLimits, passesBelowBudget = false, ...options }: EngineOptions = {},
): ReplayPolicy {
	const { passesEarly } = create();
	return {
		name,
		passesEarly,
		exempt: passesBelowBudget && !passesEarly ? ["identity"] : [],
		open({ count, budget, isAuto, modelPrices, checksThinking = false, fixed, cwd }) {
			const outputs = [{ after: "", limits: outputLimits }];
			const session = createManagedSession(count, { outputs, cwd });
			const settings = {
				...options,
				...(isAuto && { isAuto }),
				fixed,
				policy: create(),
				keepsLoopThinking: !checksThinking,
			};
			return (history, now = {}) => {
				const prices = now.modelPrices ?? modelPrices;
				const known = { budget: now.budget ?? budget, ...(prices && { prices }) };
				const given = session.asSent(history);
				const { messages, pass } = session.request(history, { ...settings, ...known });
				const recall = (query: string, page = 1, messages = history) => {
					const context = { messages, ...session.inspect(messages) };
					const asked = { query, page, takesImages: false };
					return answerRecall({ context, whole: undefined }, asked, count).text;
				};
				return { messages, given, pass: pass && changesContext(pass) ? pass : undefined, recall };
			};
		},
	};
}
