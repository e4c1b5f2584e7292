/** Alerts on the soft and hard limits of components, each with its culprit and a remedy. */
import type { Episode } from "#core/graph";
import type { ComponentState } from "#core/health";
import type { BudgetComponent } from "#core/ledger";
import { removedBy } from "#core/log";
import { nameText } from "#core/projection";
import { countOf } from "../screen/count-of.ts";
import type { Alert } from "./alert.ts";
import { mostOf, type TurnAlertSources } from "./turn-alerts.ts";

interface ComponentAlertSources extends Omit<TurnAlertSources, "turns"> {
	readonly components: readonly ComponentState[];
}

/** How people are told of each component. */
const componentLabels: Readonly<Record<BudgetComponent, string>> = {
	system: "the system prompt",
	tools: "tool definitions",
	history: "the message history",
	toolResults: "tool results",
	memory: "lines, recall pages and notes",
	output: "the last answer",
};

const remedies: Readonly<Record<BudgetComponent, string>> = {
	system: "shorter AGENTS.md files and skills help",
	tools: "fewer tools, extensions and MCP servers help",
	history: "/cwl evict makes a pass now, /cwl release cuts old pasted bulk to head and tail",
	toolResults: "ask for parts of outputs: an offset and a limit, head, grep; /cwl evict makes a pass now",
	memory: "/cwl evict takes recall pages too, cwl resume --soft begins anew",
	output: "ask for shorter answers, or for large files in parts",
};

/** Components over a limit: a notice from the soft one on, a warning above the hard one. */
export function findComponentAlerts(sources: ComponentAlertSources): readonly Alert[] {
	return sources.components.flatMap((state): readonly Alert[] => {
		const { component, used, soft, hard } = state;
		if (used < soft || used === 0) return [];
		const isOver = used > hard;
		const size = `${componentLabels[component]}: ${sources.show(used)} tokens, ${isOver ? "more than the hard limit" : "over the soft limit"} of ${sources.show(isOver ? hard : soft)}`;
		const forecast = isOver ? effectOf(component) : `hard at ${sources.show(hard)}${outlookOf(state)}`;
		return [
			{
				id: `${isOver ? "hard" : "soft"}-limit ${component}`,
				grade: isOver ? "warning" : "notice",
				text: [size, forecast, ...culpritOf(component, sources)].join("; "),
				remedy: `${remedies[component]}; the setting componentBudgets allows more`,
			},
		];
	});
}

function effectOf(component: BudgetComponent): string {
	if (component === "system" || component === "tools") return "no pass makes it smaller";
	if (component === "output") return "request and answer may exceed the budget";
	return "the next pass takes from it first, as far as it may leave";
}

function outlookOf({ requestsLeft }: ComponentState): string {
	return requestsLeft === null ? "" : ` in ${countOf(requestsLeft, "request")}`;
}

function culpritOf(component: BudgetComponent, sources: ComponentAlertSources): readonly string[] {
	if (component === "toolResults") return [mostOf(sources)];
	if (component === "history") return [largestWork(sources)];
	if (component !== "memory") return [];
	return [`${sources.show(sources.view.markerTokens)} of it are lines for evicted episodes`];
}

/** The episode with most words and arguments, or what people wrote. */
function largestWork({ graph, view, show }: ComponentAlertSources): string {
	const isGone = removedBy(graph, (id) => view.removed.has(id));
	const wordsOf = ({ items }: Episode) =>
		items.reduce((sum, item) => sum + (item.type === "result" || isGone(item) ? 0 : item.tokens), 0);
	const [most] = graph.episodes
		.map((episode) => ({ name: episode.name, tokens: wordsOf(episode) }))
		.toSorted((a, b) => b.tokens - a.tokens);
	const written = graph.prologueTokens + graph.userTokens;
	if (!most || written >= most.tokens) return `most of it is what you wrote, ${show(written)} tokens`;
	return `most of it is in ${nameText(most.name)}, ${show(most.tokens)} tokens`;
}
