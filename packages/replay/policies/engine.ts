import { defaultZoneEnds, type Zone, zoneOf } from "#core/health";
import { changesContext } from "#core/log";
import { type ComponentBudgets, type Policy, withAutoBudget, withComponentBudgets } from "#core/planning";
import {
	answerRecall,
	type BoundedSession,
	type CountTokens,
	createBoundedSession,
	defaultToolTable,
	defaultZoneActions,
	hasRisen,
	joinRecalled,
	noOutputLimits,
	type OutputLimits,
	planZonePass,
	type RecallSession,
	readRecalled,
	type ZoneActions,
} from "#pi";
import type { Recall, ReplayPolicy } from "./replay-policy.ts";

interface EngineOptions {
	/** True if its agent has the recall tool. */
	readonly canRecall?: boolean;
	/** How large outputs may be when they arrive; without a limit if left out. */
	readonly outputLimits?: OutputLimits;
	/** None if left out. */
	readonly componentBudgets?: ComponentBudgets;
	/** Nothing is done in any zone if left out. */
	readonly zoneActions?: ZoneActions;
}

/**
 * A policy of the engine, replayed through the same code that manages a live session. `create` is called once a session.
 */
export function enginePolicy(
	name: string,
	create: () => Policy,
	{
		canRecall = false,
		outputLimits = noOutputLimits,
		componentBudgets = {},
		zoneActions = defaultZoneActions,
	}: EngineOptions = {},
): ReplayPolicy {
	return {
		name,
		exempt: actsEarly(componentBudgets, zoneActions) ? ["identity"] : [],
		open({ count, budget, isAuto, modelPrices: prices, checksThinking = false, fixed, kinds, now, cwd }) {
			const outputs = [{ after: "", limits: outputLimits }];
			const session = createBoundedSession(count, kinds, { outputs, cwd });
			const own = create();
			const budgeted = isAuto ? withAutoBudget(own) : own;
			const timed = timePlans(withComponentBudgets(budgeted, componentBudgets), now);
			const keepsLoopThinking = !checksThinking;
			const settings = { policy: timed.policy, budget, fixed, keepsLoopThinking, ...(prices && { prices }) };
			const request = requestThroughZones(session, zoneActions);
			return (history) => {
				const given = session.asSent(history);
				const { messages, pass } = request(history, settings);
				const made = pass && changesContext(pass) ? pass : undefined;
				const answer = { messages, given, pass: made, planMs: timed.lastMs() };
				if (!canRecall) return answer;
				let recall: Recall | undefined;
				// As the tool does, in the whole history: the session itself lets go of what is evicted.
				const open = () =>
					openRecall(
						{ context: { messages: history, ...session.inspect(history) }, whole: undefined },
						count,
					);
				return {
					...answer,
					recall(query) {
						recall ??= open();
						return recall(query);
					},
				};
			};
		},
	};
}

/** A hard limit and a zone can ask for a pass below the budget. */
function actsEarly(componentBudgets: ComponentBudgets, zoneActions: ZoneActions): boolean {
	return (
		Object.keys(componentBudgets).length > 0 ||
		Object.values(zoneActions).some((action) => action === "pass" || action === "fade")
	);
}

/** Makes the pass that a zone asks for before the request goes out, as the extension does. */
function requestThroughZones(session: BoundedSession, actions: ZoneActions): BoundedSession["request"] {
	let zone: Zone = "green";
	return (history, settings) => {
		const due = session.request(history, settings);
		const before = zone;
		zone = zoneOf(due.tokens / settings.budget, defaultZoneEnds);
		const action = zone !== "green" && hasRisen(before, zone) ? actions[zone] : "nothing";
		const pass = planZonePass(session, history, settings, action);
		if (!pass) return due;
		session.append(pass);
		return {
			...session.request(history, settings),
			pass: { ...pass, before: due.pass?.before ?? pass.before },
		};
	};
}

/** The tool's own answers, page after page. */
function openRecall(session: RecallSession, count: CountTokens): Recall {
	return (query) => {
		const ask = (page: number) => answerRecall(session, { query, page, takesImages: false }, count);
		const first = ask(1);
		const rest = Array.from({ length: Math.max(0, first.pages - 1) }, (_, index) => ask(index + 2));
		const answers = [first, ...rest].map(({ text }) => text);
		// What a call was asked to do stands on the line over its result.
		const calls = answers.flatMap(readRecalled).map(({ words }) => words);
		return [...joinRecalled(answers), ...calls];
	};
}

function timePlans(policy: Policy, now: () => number): { policy: Policy; lastMs: () => number } {
	let ms = 0;
	const plan: Policy["plan"] = (input) => {
		const start = now();
		// What kinds the episodes were told by says nothing of what their outputs are worth.
		const pass = policy.plan({ ...input, tools: defaultToolTable });
		ms = now() - start;
		return pass;
	};
	return { policy: { ...policy, plan }, lastMs: () => ms };
}
