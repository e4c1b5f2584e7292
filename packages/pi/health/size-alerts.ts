/** Alerts about what takes too much of the budget: content that never leaves, components, episodes, one result. */
import type { Episode, Graph } from "#core/graph";
import type { RunningHealth } from "#core/health";
import { computeLedger, measureFloor } from "#core/ledger";
import type { View } from "#core/log";
import { protectedEpisodes } from "#core/planning";
import { nameText } from "#core/projection";
import { digestOf } from "#core/transcript";
import { type Component, type ComponentLimits, findExcess } from "../settings/component-limits.ts";
import { type Alert, type AlertGrade, type Show, type Standing, shortName } from "./alert.ts";

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

/** Alerts about content that can never leave. */
export function findFloor(input: Standing, show: Show): readonly Alert[] {
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
export function findOverLimit(
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
export function findGiants(input: Standing, show: Show): readonly Alert[] {
	const { graph, view, budget } = input;
	const kept = protectedEpisodes(input);
	return graph.episodes.flatMap((episode): readonly Alert[] => {
		const tokens = leftOf(episode, view);
		if (tokens <= GIANT_SHARE * budget) return [];
		const share = `${show(tokens)} of ${show(budget)} tokens`;
		if (kept.has(episode.id)) {
			const text = `pinned ${episode.kind} ${shortName(episode.name)} holds ${share}, whatever the pressure`;
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
		const text = `${episode.kind} ${shortName(episode.name)} ${how} and holds ${share}`;
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

/** One result that leaves little room for anything else. */
export function findBulk(
	{ graph, budget }: Standing,
	{ bloat }: RunningHealth,
	show: Show,
): readonly Alert[] {
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
			text: `one result of ${shortName(tool)} takes ${show(largest.tokens)} of ${show(budget)} tokens`,
			remedy: "ask for parts of it: an offset and a limit, head, grep",
		},
	];
}
