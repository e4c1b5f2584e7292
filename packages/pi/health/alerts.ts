/** Alerts in three grades: what is wrong with a session's context, who is to blame, and what can be done. */
import {
	type ComponentState,
	computeLedger,
	digestOf,
	type Episode,
	type Graph,
	measureFloor,
	nameText,
	type PlanInput,
	protectedEpisodes,
	quoteStart,
	type Regret,
	type RunningHealth,
	type View,
} from "#core";
import { formatTokens } from "../settings/budget.ts";
import {
	type Component,
	type ComponentLimits,
	defaultLimits,
	findExcess,
} from "../settings/component-limits.ts";
import { findComponentAlerts } from "./component-alerts.ts";
import { type DroppedThinking, findDroppedThinking, noDroppedThinking } from "./dropped-thinking.ts";
import { findTurnAlerts } from "./turn-alerts.ts";
import type { TurnMetrics } from "./turns.ts";

/** `critical`: the budget cannot hold. `warning`: the session gets worse until somebody acts. `notice`: worth knowing. */
export type AlertGrade = "critical" | "warning" | "notice";

export interface Alert {
	/** The same for as long as it is the same trouble; an alert is shown once by it. */
	readonly id: string;
	readonly grade: AlertGrade;
	readonly text: string;
	readonly remedy: string;
	/** True for what is still usual: `/cwl health`, events and telemetry have it, and nobody is interrupted. */
	readonly isQuiet?: true;
}

/** An episode that nothing may take, as a share of the budget. */
const GIANT_SHARE = 0.25;
/** One that is being worked on has its own size to thank for trouble from this share on. */
const OPEN_SHARE = 0.5;
/** So many user turns after it began, an episode is no longer one piece of work. */
const LEFT_TURNS = 3;
/** One result, as a share of the budget. */
const BULK_SHARE = 0.25;
/** From this share of the budget on, user messages, prompt and tools leave too little for the work. */
const FLOOR_SHARE = 0.5;
/** The same read again so often after passes took it is a loop, and soon one that eats the session. */
const LOOP = 3;
const BAD_LOOP = 5;
/** Rereading content costs less than keeping it when it takes less than this share of the budget. */
const LOOP_SHARE = 0.05;
/** Of what a pass took, the share that was read again. */
const REGRETTED_SHARE = 0.2;
/** More passes than these are counted instead of listed. */
const MAX_PASSES = 4;
/** In characters. */
const MAX_NAME_LENGTH = 60;

/** The session as it is sent. */
export type Standing = Pick<PlanInput, "graph" | "view" | "fixed" | "budget" | "pinned" | "tools">;

export interface AlertSources {
	readonly input: Standing;
	readonly health: RunningHealth;
	/** The usual ones unless told. */
	readonly limits?: ComponentLimits;
	/** None unless told. */
	readonly droppedThinking?: DroppedThinking;
	/** The turns of this process, oldest first; none unless told. */
	readonly turns?: readonly TurnMetrics[];
	/** The components that have limits; none unless told. */
	readonly components?: readonly ComponentState[];
	/** A size that we counted, as people are told it. */
	readonly show?: (tokens: number) => string;
}

/** Open alerts, the gravest first. */
export function findAlerts(sources: AlertSources): readonly Alert[] {
	const { input, health, limits = defaultLimits, show = formatTokens } = sources;
	const { droppedThinking = noDroppedThinking, turns = [], components = [] } = sources;
	const { graph, view } = input;
	const grades: readonly AlertGrade[] = ["critical", "warning", "notice"];
	const floor = findFloor(input, show);
	const alerts = [
		...floor,
		...findOverLimit(input, limits, floor.length > 0, show),
		...findGiants(input, show),
		...findLoops(input, health.regret.all, show),
		...findRegretted(health, show),
		...findBulk(input, health, show),
		...findDroppedThinking(droppedThinking),
		...findTurnAlerts({ turns, graph, view, show }),
		...findComponentAlerts({ components, graph, view, show }),
	];
	return alerts.toSorted((a, b) => grades.indexOf(a.grade) - grades.indexOf(b.grade));
}

type Show = (tokens: number) => string;

function name(text: string): string {
	return quoteStart(text, MAX_NAME_LENGTH);
}

/** Alerts about content that can never leave. */
function findFloor(input: Standing, show: Show): readonly Alert[] {
	const { budget, fixed } = input;
	const { tokens, written } = measureFloor(input);
	if (tokens <= FLOOR_SHARE * budget) return [];
	const prompt = fixed.system + fixed.tools;
	const [culprit, remedy] =
		prompt > written
			? [`system prompt and tools, ${show(prompt)}`, "use fewer tools or shorter AGENTS.md files and skills"]
			: [`what you wrote, ${show(written)}`, "/cwl release cuts old pasted bulk to head and tail"];
	return [
		{
			...(tokens > budget
				? ({ id: "floor-over", grade: "critical" } as const)
				: ({ id: "floor-high", grade: "warning" } as const)),
			text: `${show(tokens)} of ${show(budget)} tokens can never leave; the most of it is ${culprit}`,
			remedy: `${remedy}, /cwl budget raises the budget`,
		},
	];
}

const fewerFiles = "shorter AGENTS.md files and skills help";
const release = "/cwl release cuts old pasted bulk to head and tail";
const evict = "/cwl evict makes a pass now";
/**
 * The remedy for each component that is over its limit. Content that never leaves has the graver grade, since no pass
 * will reduce it.
 */
const overLimit: Readonly<Record<Component, { readonly grade: AlertGrade; readonly remedy: string }>> = {
	system: { grade: "warning", remedy: fewerFiles },
	tools: { grade: "warning", remedy: "fewer tools, extensions and MCP servers help" },
	prologue: { grade: "warning", remedy: release },
	user: { grade: "warning", remedy: release },
	expl: { grade: "notice", remedy: evict },
	act: { grade: "notice", remedy: evict },
	unannotated: { grade: "notice", remedy: evict },
	markers: {
		grade: "notice",
		remedy: "cwl resume --soft begins anew with goal, user turns and episode index",
	},
};

/** Components over their soft limits. Of what never leaves, the floor has said it already when it is high. */
function findOverLimit(
	{ graph, view, fixed, budget }: Standing,
	limits: ComponentLimits,
	isFloorTold: boolean,
	show: Show,
): readonly Alert[] {
	return findExcess(computeLedger(graph, view, fixed), budget, limits).flatMap(
		({ component, tokens, limit }) => {
			const { grade, remedy } = overLimit[component];
			if (isFloorTold && grade === "warning") return [];
			const share = `${Math.round((100 * tokens) / budget)} % of the budget`;
			const text = `${component} takes ${show(tokens)} tokens, ${share}, more than its limit of ${Math.round(100 * limit)} %`;
			return [{ id: `limit ${component}`, grade, text, remedy: `${remedy}; the setting limits allows more` }];
		},
	);
}

/** Episodes that are pinned, were left open, or outgrow what their budget can carry while they are worked on. */
function findGiants(input: Standing, show: Show): readonly Alert[] {
	const { graph, view, budget } = input;
	const kept = protectedEpisodes(input);
	return graph.episodes.flatMap((episode): readonly Alert[] => {
		const tokens = leftOf(episode, view);
		if (tokens <= GIANT_SHARE * budget) return [];
		const share = `${show(tokens)} of ${show(budget)} tokens`;
		if (kept.has(episode.id)) {
			const text = `pinned ${episode.kind} ${name(episode.name)} holds ${share}, whatever the pressure`;
			return [
				{
					id: `pinned ${episode.id}`,
					grade: "warning",
					text,
					remedy: `/cwl unpin ${nameText(episode.name)}`,
				},
			];
		}
		if (episode.state === "closed" || episode.origin === "inferred") return [];
		const turns = turnsSince(graph, episode);
		if (turns < LEFT_TURNS && tokens <= OPEN_SHARE * budget) return [];
		const how = turns < LEFT_TURNS ? "is open" : `was not ended for ${turns} user turns`;
		const text = `${episode.kind} ${name(episode.name)} ${how} and holds ${share}`;
		const remedy = `tell the model to end it, or /cwl evict ${nameText(episode.name)}`;
		return [{ id: `open ${episode.id}`, grade: "warning", text, remedy }];
	});
}

/** User turns since it began. */
function turnsSince({ messages }: Graph, { turn }: Episode): number {
	return messages.filter(({ author }) => author === "user").length - turn;
}

function leftOf({ id, tokens }: Episode, view: View): number {
	return tokens - (view.episodes.get(id)?.removedTokens ?? 0);
}

interface Loop {
	readonly subject: string;
	readonly regrets: readonly Regret[];
	readonly times: number;
	readonly tokens: number;
}

/**
 * Finds content that is read, evicted and read again. Reports only the worst case, since the remedy is the same for
 * all.
 */
function findLoops({ graph, budget }: Standing, regrets: readonly Regret[], show: Show): readonly Alert[] {
	const loops = groupLoops(regrets).filter(
		({ times, tokens }) => times >= LOOP && tokens >= LOOP_SHARE * budget,
	);
	const [worst] = loops.toSorted((a, b) => b.tokens - a.tokens);
	if (!worst) return [];
	const isBad = loops.some(({ times }) => times >= BAD_LOOP);
	const passes = [...new Set(worst.regrets.map(({ pass }) => pass))].toSorted((a, b) => a - b);
	const took =
		passes.length > MAX_PASSES
			? `${passes.length} passes`
			: `${passes.length === 1 ? "pass" : "passes"} ${passes.join(", ")}`;
	const more = loops.length > 1 ? `, and ${loops.length - 1} more like it` : "";
	const last = worst.regrets.at(-1)?.call.id;
	const home = graph.episodes.findLast(({ items }) => items.some(({ id }) => id === last));
	return [
		{
			id: isBad ? "bad-loop" : "loop",
			grade: isBad ? "critical" : "warning",
			text: `${name(worst.subject)} was read again ${worst.times} times after ${took} took it, ${show(worst.tokens)} tokens${more}`,
			remedy: `/cwl budget raises the budget${home ? `, /cwl pin ${nameText(home.name)} keeps it` : ""}`,
		},
	];
}

function groupLoops(regrets: readonly Regret[]): readonly Loop[] {
	const groups = new Map<string, Regret[]>();
	for (const regret of regrets) {
		const subject = subjectOf(regret);
		groups.set(subject, [...(groups.get(subject) ?? []), regret]);
	}
	return [...groups].map(([subject, all]) => ({
		subject,
		regrets: all,
		times: Math.max(...all.map(({ times }) => times)),
		tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
	}));
}

/** The file that a call was about, else the call itself. */
function subjectOf({ call }: Regret): string {
	const { tool, arguments: args } = call;
	const words = Object.values(args).filter((value) => typeof value === "string");
	return digestOf(call)?.paths[0] ?? [tool, ...words].join(" ");
}

function findRegretted({ regret }: RunningHealth, show: Show): readonly Alert[] {
	const worst = regret.passes
		.filter(({ taken, regretted }) => regretted > REGRETTED_SHARE * taken)
		.toSorted((a, b) => b.regretted - a.regretted)[0];
	if (!worst) return [];
	const share = Math.round((100 * worst.regretted) / worst.taken);
	return [
		{
			id: `regret ${worst.pass}`,
			grade: "notice",
			text: `${show(worst.regretted)} tokens (${share} %) of what pass ${worst.pass} took were read again`,
			remedy: "what was read again weighs more from now on; lowWater quality or a larger budget keeps more",
		},
	];
}

/** One result that leaves little room for anything else. */
function findBulk({ graph, budget }: Standing, { bloat }: RunningHealth, show: Show): readonly Alert[] {
	const { largest } = bloat;
	if (!largest || largest.tokens <= BULK_SHARE * budget) return [];
	const call = graph.messages
		.flatMap(({ items }) => items)
		.find((item) => item.type === "call" && item.id === graph.callOf.get(largest.id));
	const tool =
		call?.type === "call" ? [call.tool, ...(digestOf(call)?.paths.slice(0, 1) ?? [])].join(" ") : "a tool";
	return [
		{
			id: `bulk ${largest.id}`,
			grade: "notice",
			text: `one result of ${name(tool)} takes ${show(largest.tokens)} of ${show(budget)} tokens`,
			remedy: "ask for parts of it: an offset and a limit, head, grep",
		},
	];
}
