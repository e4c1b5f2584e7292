/** The alerts that the last turns and the limits of components raise, each with its culprit and a remedy. */
import { nameText, percent } from "#basics";
import type { ComponentState } from "#core/health";
import { type BudgetComponent, sentSizes } from "#core/ledger";
import { markerTokens, removedBy } from "#core/log";
import { sumTokens } from "#core/transcript";
import { RELEASE } from "../screen/budget-text.ts";
import { showTokens } from "../screen/sizes.ts";
import { type Alert, type AlertGrade, type AlertInput, callName, type Shown, shortName } from "./alert.ts";
import { soonText } from "./health-report.ts";
import type { TurnMetrics } from "./turns.ts";

/** So many turns in a row make a share of the window count, which a single turn may cross for a good reason. */
const SUSTAINED = 3;
/** The threshold of the seed's section 7. Its five other alerts are figures: nothing follows from them that a user could do. */
const MAX_UTILIZATION = 0.9;

type Session = Shown<Pick<AlertInput, "graph" | "view">>;

/** The alert of a context that fills the model's window; undefined where the last turns left room. */
export function findFullWindow(session: Session, turns: readonly TurnMetrics[]): Alert | undefined {
	const last = turns.slice(-SUSTAINED);
	const isFull = last.length === SUSTAINED && last.every((turn) => turn.utilization > MAX_UTILIZATION);
	if (!isFull) return undefined;
	const share = percent(last.at(-1)?.utilization ?? 0);
	return {
		id: "utilization",
		grade: "critical",
		text: `the context takes ${share} of the model's window; ${mostOf(session, [...resultsIn(session), writtenIn(session)])}`,
		remedy: "/cwl evict makes a pass now, /cwl settings budget 60k keeps it smaller",
	};
}

/** A part of the context by name, and its tokens. */
type Part = readonly [what: string, tokens: number];

/** Names the largest of these parts, the first of equal ones. */
function mostOf({ sizes }: Session, parts: readonly Part[]): string {
	const [most] = parts.toSorted(([, a], [, b]) => b - a);
	return most ? `most of it is ${most[0]}, ${sizes.show(most[1])} tokens` : "no tool result is in it";
}

/** The results in the context, by the tool and file that they are from. */
function resultsIn({ graph, view }: Session): readonly Part[] {
	const isGone = removedBy(graph, view.removed);
	const sizeOf = sentSizes(graph, view);
	const byTool = new Map<string, number>();
	for (const call of graph.messages.flatMap(({ items }) => items)) {
		if (call.type !== "call" || isGone(call)) continue;
		const result = graph.resultOf.get(call.id);
		const name = shortName(callName(call));
		byTool.set(name, (byTool.get(name) ?? 0) + (result ? sizeOf(result) : 0));
	}
	return [...byTool];
}

/** Words and arguments of each episode in the context. */
function wordsIn({ graph, view }: Session): readonly Part[] {
	const isGone = removedBy(graph, view.removed);
	return graph.episodes.map(({ name, items }) => {
		const words = items.filter((item) => item.type !== "result" && !isGone(item));
		return [`in ${nameText(name)}`, sumTokens(words)];
	});
}

function writtenIn({ graph: { prologueTokens, userTokens } }: Session): Part {
	return ["what you wrote", prologueTokens + userTokens];
}

/** The name of each component on screen. */
const componentLabels: Readonly<Record<BudgetComponent, string>> = {
	system: "the system prompt and its updates",
	tools: "tool definitions",
	history: "the message history",
	toolResults: "tool results",
	memory: "lines, recall pages and notes",
	output: "the last answer",
};

const remedies: Readonly<Record<BudgetComponent, string>> = {
	system: "shorter AGENTS.md files and skills help",
	tools: "fewer tools, extensions and MCP servers help",
	history: `/cwl evict makes a pass now, ${RELEASE}`,
	toolResults: "ask for parts of outputs: an offset and a limit, head, grep; /cwl evict makes a pass now",
	memory: "/cwl evict takes recall pages too, cwl resume --soft starts a fresh session",
	output: "ask for shorter answers, or for large files in parts",
};

/** Returns true for components that no pass makes smaller. */
export function isFixed(component: BudgetComponent): boolean {
	return component === "system" || component === "tools";
}

/**
 * Components over their soft limit, and those whose hard limit is near: a notice, and a warning for what no pass makes smaller. An urgent
 * one has its urgency as grade, so that no row of the figures is graver than the alerts.
 * @param components in the provider's tokens
 */
export function findComponentAlerts(
	session: Session,
	components: readonly ComponentState[],
): readonly Alert[] {
	const { sizes } = session;
	const show = (tokens: number) => showTokens(tokens, sizes.isKnown);
	return components.flatMap((state): Alert | readonly [] => {
		const { component, used, soft, hard, burnRate, requestsLeft, urgency } = state;
		const isOverSoft = soft !== null && used >= soft && used > 0;
		if (!isOverSoft && urgency === "normal") return [];
		const isOver = hard !== null && used > hard;
		const growing = isOverSoft ? `over the soft limit of ${show(soft)}` : `${show(burnRate)} more a request`;
		const limit = isOver ? `more than the hard limit of ${show(hard)}` : growing;
		const soon = requestsLeft === null ? "" : ` ${soonText(requestsLeft)}`;
		const forecast = isOver || hard === null ? effectOf(component) : `hard at ${show(hard)}${soon}`;
		return {
			id: `${urgency === "critical" ? "hard" : "soft"}-limit ${component}`,
			grade: gradeOf(component, urgency),
			text: [
				`${componentLabels[component]}: ${show(used)} tokens, ${limit}`,
				forecast,
				...culpritOf(component, session),
			].join("; "),
			remedy: `${remedies[component]}; the setting componentBudgets allows more`,
		};
	});
}

function gradeOf(component: BudgetComponent, urgency: ComponentState["urgency"]): AlertGrade {
	if (urgency !== "normal") return urgency;
	return isFixed(component) ? "warning" : "notice";
}

function effectOf(component: BudgetComponent): string {
	if (isFixed(component)) return "no pass makes it smaller";
	if (component === "output") return "request and answer may exceed the budget";
	return "the next pass takes from it first, as far as it may leave";
}

function culpritOf(component: BudgetComponent, session: Session): readonly string[] {
	if (component === "toolResults") return [mostOf(session, resultsIn(session))];
	if (component === "history") return [mostOf(session, [writtenIn(session), ...wordsIn(session)])];
	if (component !== "memory") return [];
	return [`${session.sizes.show(markerTokens(session.view))} of it are lines for evicted episodes`];
}
