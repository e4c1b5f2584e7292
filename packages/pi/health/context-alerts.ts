/**
 * Alerts about what takes too much of the budget (content that never leaves, components, episodes, one result),
 * and about evicted content that the agent reads again.
 */

import { countOf, formatTokens, nameText, sum } from "#basics";
import { leftOf, measureFloor } from "#core/ledger";
import type { Regret } from "#core/log";
import { digestOf } from "#core/transcript";
import { RELEASE, SMALLER_PROMPT } from "../screen/budget-text.ts";
import type { Sizes } from "../screen/sizes.ts";
import { type Alert, type Shown, shortName } from "./alert.ts";

/** An episode that nothing may take, as a share of the budget. */
const GIANT_SHARE = 0.25;
/** One that is being worked on has its own size to thank for trouble from this share on. */
const OPEN_SHARE = 0.5;
/** So many user turns after it began, an episode is no longer one piece of work. */
const LEFT_TURNS = 3;
/** From this share of the budget on, user messages, prompt and tools leave too little for the work. */
const FLOOR_SHARE = 0.5;

/** A limit as every screen shows it. */
function showLimit({ budget }: Sizes, counted: number): string {
	return formatTokens(budget(counted));
}

/** The larger part of what no pass takes: its counted tokens, its name with its size, and what makes it smaller. */
export function largestOfFloor(input: Shown) {
	const { fixed, sizes } = input;
	const { written } = measureFloor(input);
	const prompt = fixed.system + fixed.tools;
	return prompt > written
		? {
				tokens: prompt,
				text: `system prompt and tools, ${sizes.show(prompt)}`,
				remedy: SMALLER_PROMPT,
			}
		: { tokens: written, text: `what you wrote, ${sizes.show(written)}`, remedy: RELEASE };
}

/** Content that can never leave. */
export function findFloor(input: Shown): Alert | undefined {
	const { budget, sizes } = input;
	const { tokens } = measureFloor(input);
	if (tokens <= FLOOR_SHARE * budget) return undefined;
	const limit = showLimit(sizes, budget);
	const { text, remedy } = largestOfFloor(input);
	const isOver = tokens > budget;
	return {
		id: isOver ? "floor-over" : "floor-high",
		grade: isOver ? "critical" : "warning",
		text: `${sizes.show(tokens)} of ${limit} tokens can never leave, most of it ${text}`,
		remedy: `${remedy}, /cwl settings budget raises the budget`,
	};
}

/** Episodes that are pinned, were left open, or outgrow what their budget can carry while they are worked on. */
export function findGiants(input: Shown): readonly Alert[] {
	const { graph, view, budget, sizes } = input;
	return graph.episodes.flatMap((episode): Alert | readonly [] => {
		const { id, kind, name } = episode;
		const tokens = leftOf(episode, view);
		if (tokens <= GIANT_SHARE * budget) return [];
		const share = `${sizes.show(tokens)} of ${showLimit(sizes, budget)} tokens`;
		if (input.pinned?.has(id)) {
			const text = `pinned ${kind} ${shortName(name)} holds ${share}, whatever the pressure`;
			return {
				id: `pinned ${name}`,
				grade: "warning",
				text,
				remedy: `/cwl pin ${nameText(name)} lets it go`,
			};
		}
		if (episode.state === "closed" || episode.origin === "inferred") return [];
		// User turns since it began.
		const turns = graph.messages.filter(({ author }) => author === "user").length - episode.turn;
		if (turns < LEFT_TURNS && tokens <= OPEN_SHARE * budget) return [];
		const how = turns < LEFT_TURNS ? "is open" : `was not ended for ${turns} user turns`;
		const text = `${kind} ${shortName(name)} ${how} and holds ${share}`;
		const remedy = `tell the model to end it, or /cwl evict ${nameText(name)}`;
		return { id: `open ${name}`, grade: "warning", text, remedy };
	});
}

/** The number of repeated reads that make a loop, and one that endangers the session. */
const LOOP = 3;
const BAD_LOOP = 5;
/** Rereading content costs less than keeping it when it takes less than this share of the budget. */
const LOOP_SHARE = 0.05;

/**
 * Content that is read, evicted and read again, while the next request still has it and no pin keeps it; `regrets` are those that had
 * not paid for themselves, in the provider's tokens. Reports only the worst case, since the remedy is the same for all.
 */
export function findLoops(
	{ graph, view, budget, sizes, pinned }: Shown,
	regrets: readonly Regret[],
): Alert | undefined {
	const holderOf = (last: Regret | undefined) =>
		graph.episodes.find(({ items }) => items.some(({ id }) => id === last?.call.id && !view.removed.has(id)));
	const loops = groupLoops(regrets).flatMap((loop) => {
		const holder = holderOf(loop.regrets.at(-1));
		const isLoop = loop.times >= LOOP && loop.tokens >= LOOP_SHARE * sizes.part(budget);
		return isLoop && holder && !pinned?.has(holder.id) ? [{ ...loop, holder }] : [];
	});
	const [worst] = loops.toSorted((a, b) => b.tokens - a.tokens);
	if (!worst) return undefined;
	const isBad = loops.some(({ times }) => times >= BAD_LOOP);
	const took = countOf(new Set(worst.regrets.map(({ pass }) => pass)).size, "pass", "passes");
	const more = loops.length > 1 ? `, and ${loops.length - 1} more like it` : "";
	return {
		id: isBad ? "bad-loop" : "loop",
		grade: isBad ? "critical" : "warning",
		text: `${shortName(worst.subject)} was read again ${worst.times} times after ${took} took it, ${sizes.showReported(worst.tokens)} tokens${more}`,
		remedy: `/cwl pin ${nameText(worst.holder.name)} keeps it, /cwl settings budget or the setting lowWater "quality" keeps more`,
	};
}

function groupLoops(regrets: readonly Regret[]) {
	const groups = new Map<string, Regret[]>();
	for (const regret of regrets) {
		const subject = subjectOf(regret);
		groups.set(subject, [...(groups.get(subject) ?? []), regret]);
	}
	return [...groups].map(([subject, all]) => ({
		subject,
		regrets: all,
		// Another call, such as a grep, may have shown the same lines at the same time.
		times: new Set(all.map(({ times }) => times)).size,
		tokens: sum(all, ({ tokens }) => tokens),
	}));
}

/** The file that a call and one with the same lines before it were about, else the call itself. */
function subjectOf({ call, of }: Regret): string {
	const { tool, arguments: args } = call;
	const words = Object.values(args).filter((value) => typeof value === "string");
	const before = new Set(of.flatMap((earlier) => digestOf(earlier)?.paths ?? []));
	return digestOf(call)?.paths.find((path) => before.has(path)) ?? [tool, ...words].join(" ");
}
