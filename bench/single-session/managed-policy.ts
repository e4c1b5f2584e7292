/** Our extension's engine in this process, with the recall tool that the extension offers. */
import { lowWaters } from "#core/planning";
import { answerRecall, createManagedSession, type HostMessage, policyByName } from "#pi";
import type { ReplayPolicy } from "#replay";
import { type Condition, extensionSettings } from "./conditions.ts";

/** Answers one page of a recall in a session of these messages. */
export type RecallPage = (messages: readonly HostMessage[], query: string, page: number) => string;

/** A policy whose sessions may be able to give back what left. */
export interface LocalPolicy {
	open(
		settings: Parameters<ReplayPolicy["open"]>[0],
	): ReturnType<ReplayPolicy["open"]> & { readonly recall?: RecallPage };
}

export function createManagedPolicy(condition: Condition): LocalPolicy {
	const { policy: name, lowWater, hasRecall } = extensionSettings(condition);
	const policy = policyByName(name);
	return {
		open({ count, budget, fixed, kinds }) {
			const session = createManagedSession(count, kinds);
			const settings = { policy, budget, fixed, lowWater: lowWaters[lowWater], keepsLoopThinking: true };
			const project: ReturnType<ReplayPolicy["open"]> = (history) => ({
				messages: session.request(history, settings).messages,
				pass: undefined,
			});
			const recall: RecallPage = (messages, query, page) => {
				const context = { messages, ...session.inspect(messages) };
				return answerRecall({ context, whole: undefined }, { query, page, takesImages: false }, count).text;
			};
			return hasRecall ? Object.assign(project, { recall }) : project;
		},
	};
}
