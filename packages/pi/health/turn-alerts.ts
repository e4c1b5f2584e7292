/**
 * The six alerts of seed 002 on the metrics of the last turns, and those on the limits of components, each with
 * its culprit and a remedy.
 */
import { type ComponentState, isSpike } from "#core/health";
import { type BudgetComponent, leftOf, sentSizes } from "#core/ledger";
import { removedBy } from "#core/log";
import { nameText, sumTokens } from "#core/transcript";
import { countOf, percent } from "../screen/figures.ts";
import { type Alert, type AlertInput, callName, type Shown, shortName } from "./alert.ts";
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

type Session = Shown<Pick<AlertInput, "graph" | "view">>;

/** The alerts that the last turns raise. */
export function findTurnAlerts(session: Session, turns: readonly TurnMetrics[]): readonly Alert[] {
	const { graph, view, show } = session;
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
			text: `the context takes ${percent(utilization)} of the model's window, over ${percent(MAX_UTILIZATION)} for ${SUSTAINED} requests; ${mostOf(session, [...resultsIn(session), writtenIn(session)])}`,
			remedy: "/cwl evict makes a pass now, /cwl settings budget lowers the budget below the window",
		},
		lasts((turn) => turn.evictionRate > MAX_EVICTION_RATE) && {
			id: "eviction-rate",
			grade: "warning",
			text: `${evictionRate.toFixed(1)} items a request leave, more than ${MAX_EVICTION_RATE}, for ${SUSTAINED} requests; ${mostOf(session, resultsIn(session))}`,
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
			text: `a request adds ${show(burnRate)} tokens, at least three times the ${show(normalBurnRate)} of before; ${mostOf(session, resultsIn(session))}`,
			remedy: "see if the model repeats itself; ask it for parts of files: an offset and a limit, head, grep",
		},
		utilization >= MIN_BLOATED &&
			lasts((turn) => turn.bloat > MAX_BLOAT) && {
				id: "tool-bloat",
				grade: "notice",
				text: `tool results take ${percent(bloat)} of the context, more than ${percent(MAX_BLOAT)}, for ${SUSTAINED} requests; ${mostOf(session, resultsIn(session))}`,
				remedy: "ask for parts of outputs: an offset and a limit, head, grep",
			},
	];
	return alerts.filter((alert) => alert !== false);
}

/** A part of the context by name, and its tokens. */
type Part = readonly [what: string, tokens: number];

/** Names the largest of these parts, the first of equal ones. */
function mostOf({ show }: Session, parts: readonly Part[]): string {
	const [most] = parts.toSorted(([, a], [, b]) => b - a);
	return most ? `most of it is ${most[0]}, ${show(most[1])} tokens` : "no tool result is in it";
}

/** The results in the context, by the tool and file that they are from. */
function resultsIn({ graph, view }: Session): readonly Part[] {
	const isGone = removedBy(graph, (id) => view.removed.has(id));
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
	const isGone = removedBy(graph, (id) => view.removed.has(id));
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
export function findComponentAlerts(
	session: Session,
	components: readonly ComponentState[],
): readonly Alert[] {
	const { show } = session;
	return components.flatMap(({ component, used, soft, hard, requestsLeft }): Alert | readonly [] => {
		if (soft === null || used < soft || used === 0) return [];
		const isOver = hard !== null && used > hard;
		const limit = isOver
			? `more than the hard limit of ${show(hard)}`
			: `over the soft limit of ${show(soft)}`;
		const soon = requestsLeft === null ? "" : ` in ${countOf(requestsLeft, "request")}`;
		const forecast = isOver || hard === null ? effectOf(component) : `hard at ${show(hard)}${soon}`;
		return {
			id: `${isOver ? "hard" : "soft"}-limit ${component}`,
			grade: isOver || isFixed(component) ? "warning" : "notice",
			text: [
				`${componentLabels[component]}: ${show(used)} tokens, ${limit}`,
				...[forecast, ...culpritOf(component, session)],
			].join("; "),
			remedy: `${remedies[component]}; the setting componentBudgets allows more`,
		};
	});
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
	return [`${session.show(session.view.markerTokens)} of it are lines for evicted episodes`];
}
