/**
 * The six alerts of seed 002 on the metrics of the last turns, and those on the limits of components, each with
 * its culprit and a remedy.
 */
import type { Episode, Graph } from "#core/graph";
import { type ComponentState, isSpike } from "#core/health";
import { type BudgetComponent, leftOf, sentSizes } from "#core/ledger";
import { removedBy, type View } from "#core/log";
import { digestOf, nameText } from "#core/transcript";
import { countOf, percent } from "../screen/figures.ts";
import { type Alert, type Show, shortName } from "./alert.ts";
import type { TurnMetrics } from "./turns.ts";

/** So many turns in a row make a threshold count that a single turn may cross for a good reason. */
const SUSTAINED = 3;
/** Turns before which no burn rate is normal. */
const MIN_TURNS_OF_BURN = 10;
/** Less growth a turn raises no alert, whatever the turns before added; in tokens. */
const MIN_BURN = 4_000;
/** The thresholds of the seed's section 7. */
const MAX_UTILIZATION = 0.9;
const MAX_EVICTION_RATE = 5;
const MIN_RATIO = 2;
const MAX_BLOAT = 0.3;
/** The seed has .75, for what is lost for good. At their ends, 7 of 63 recorded sessions at 50k show less than this, and 1 of 48 at 160k. */
const MIN_IN_SIGHT = 0.5;
/** Most of a short coding session is tool output: below this share of the window that is usual. */
const MIN_BLOATED = 0.25;

export interface TurnAlertSources {
	readonly turns: readonly TurnMetrics[];
	readonly graph: Graph;
	readonly view: View;
	readonly show: Show;
}

/** The alerts that the last turns raise. */
export function findTurnAlerts(sources: TurnAlertSources): readonly Alert[] {
	const { turns, graph, view, show } = sources;
	const last = turns.at(-1);
	if (!last) return [];
	const { utilization, evictionRate, compressionRatio, inSight, burnRate, normalBurnRate, bloat } = last;
	const lasts = (isOver: (turn: TurnMetrics) => boolean) =>
		turns.length >= SUSTAINED && turns.slice(-SUSTAINED).every(isOver);
	const left = graph.episodes
		.filter(({ id }) => view.episodes.has(id))
		.map((episode) => ({ name: episode.name, tokens: leftOf(episode, view) }))
		.toSorted((a, b) => b.tokens - a.tokens)[0];
	const isBurning =
		turns.length >= MIN_TURNS_OF_BURN && burnRate >= MIN_BURN && isSpike(burnRate, normalBurnRate);
	const alerts: readonly (Alert | false)[] = [
		lasts((turn) => turn.utilization > MAX_UTILIZATION) && {
			id: "utilization",
			grade: "critical",
			text: `the context takes ${percent(utilization)} of the model's window, over ${percent(MAX_UTILIZATION)} for ${SUSTAINED} requests; ${mostOf(sources, true)}`,
			remedy: "/cwl evict makes a pass now, /cwl settings budget lowers the budget below the window",
		},
		lasts((turn) => turn.evictionRate > MAX_EVICTION_RATE) && {
			id: "eviction-rate",
			grade: "warning",
			text: `${evictionRate.toFixed(1)} items a request leave, more than ${MAX_EVICTION_RATE}, for ${SUSTAINED} requests; ${mostOf(sources)}`,
			remedy: "/cwl settings budget raises the budget, which may be too small for this work",
		},
		lasts((turn) => turn.compressionRatio > 1 && turn.compressionRatio < MIN_RATIO) && {
			id: "compression",
			grade: "warning",
			text: `passes leave half or more of the episodes that they touch (${compressionRatio.toFixed(1)}:1) for ${SUSTAINED} requests${left ? `; the most is left of ${nameText(left.name)}, ${show(left.tokens)} tokens` : ""}`,
			remedy: left
				? `/cwl evict ${nameText(left.name)}, or lowWater economy`
				: "lowWater economy takes more in a pass",
		},
		inSight < MIN_IN_SIGHT && {
			id: "fidelity",
			grade: "warning",
			text: `of the evicted facts that the model used, the next request shows ${percent(inSight)}, less than ${percent(MIN_IN_SIGHT)}, after ${countOf(view.passes, "pass", "passes")}`,
			remedy:
				"/cwl settings budget raises the budget, /cwl pin keeps an episode; recall brings the others back",
		},
		isBurning && {
			id: "burn-rate",
			grade: "warning",
			text: `a request adds ${show(burnRate)} tokens, at least three times the ${show(normalBurnRate)} of before; ${mostOf(sources)}`,
			remedy: "see if the model repeats itself; ask it for parts of files: an offset and a limit, head, grep",
		},
		utilization >= MIN_BLOATED &&
			lasts((turn) => turn.bloat > MAX_BLOAT) && {
				id: "tool-bloat",
				grade: "notice",
				text: `tool results take ${percent(bloat)} of the context, more than ${percent(MAX_BLOAT)}, for ${SUSTAINED} requests; ${mostOf(sources)}`,
				remedy: "ask for parts of outputs: an offset and a limit, head, grep",
			},
	];
	return alerts.filter((alert) => alert !== false);
}

/** The tool whose results take most of the context; `isAll` also looks at what people wrote. */
function mostOf({ graph, view, show }: Omit<TurnAlertSources, "turns">, isAll = false): string {
	const isGone = removedBy(graph, (id) => view.removed.has(id));
	const sizeOf = sentSizes(graph, view);
	const byTool = new Map<string, number>();
	for (const { items } of graph.messages) {
		for (const call of items) {
			if (call.type !== "call" || isGone(call)) continue;
			const path = digestOf(call)?.paths[0];
			const subject = path === undefined ? call.tool : `${call.tool} ${path}`;
			const result = graph.resultOf.get(call.id);
			const tokens = result ? sizeOf(result) : 0;
			byTool.set(subject, (byTool.get(subject) ?? 0) + tokens);
		}
	}
	const [most] = [...byTool].toSorted(([, a], [, b]) => b - a);
	if (isAll && writtenIn(graph) > (most?.[1] ?? 0)) return describeWritten(graph, show);
	return most ? `most of it is ${shortName(most[0])}, ${show(most[1])} tokens` : "no tool result is in it";
}

function writtenIn({ prologueTokens, userTokens }: Graph): number {
	return prologueTokens + userTokens;
}

function describeWritten(graph: Graph, show: Show): string {
	return `most of it is what you wrote, ${show(writtenIn(graph))} tokens`;
}

interface ComponentAlertSources extends Omit<TurnAlertSources, "turns"> {
	readonly components: readonly ComponentState[];
}

/** The name of each component on screen. */
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
	memory: "/cwl evict takes recall pages too, cwl resume --soft starts a fresh session",
	output: "ask for shorter answers, or for large files in parts",
};

/** Returns true for components that no pass makes smaller. */
export function isFixed(component: BudgetComponent): boolean {
	return component === "system" || component === "tools";
}

/** Components over a limit: a notice from the soft one on, a warning above the hard one and for what no pass makes smaller. */
export function findComponentAlerts(sources: ComponentAlertSources): readonly Alert[] {
	return sources.components.flatMap((state): readonly Alert[] => {
		const { component, used, soft, hard } = state;
		if (soft === null || used < soft || used === 0) return [];
		const isOver = hard !== null && used > hard;
		const size = `${componentLabels[component]}: ${sources.show(used)} tokens, ${isOver ? "more than the hard limit" : "over the soft limit"} of ${sources.show(isOver ? hard : soft)}`;
		const soon = hard !== null ? `hard at ${sources.show(hard)}${outlookOf(state)}` : effectOf(component);
		const forecast = isOver ? effectOf(component) : soon;
		return [
			{
				id: `${isOver ? "hard" : "soft"}-limit ${component}`,
				grade: isOver || isFixed(component) ? "warning" : "notice",
				text: [size, forecast, ...culpritOf(component, sources)].join("; "),
				remedy: `${remedies[component]}; the setting componentBudgets allows more`,
			},
		];
	});
}

function effectOf(component: BudgetComponent): string {
	if (isFixed(component)) return "no pass makes it smaller";
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
	if (!most || writtenIn(graph) >= most.tokens) return describeWritten(graph, show);
	return `most of it is in ${nameText(most.name)}, ${show(most.tokens)} tokens`;
}
