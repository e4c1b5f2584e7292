/** `/cwl evict`, `undo`, `pin` and `release`: what a person decides about passes and about what they may take. */
import { nameText } from "#basics";
import type { Episode } from "#core/graph";
import { isEvicted, sealedIn, totalTokens } from "#core/ledger";
import type { Pass } from "#core/log";
import { lowWaterOf, planEpisode, planManualPass } from "#core/planning";
import { sumTokens } from "#core/transcript";
import { refusal } from "#pi";
import { loadTokenCounter } from "#pi/codec";
import { createPassReader, describePass, largestOfFloor, takenBy } from "#pi/health";
import { describeEffect, episodeSizes, freedText, momentText, WHILE_OFF } from "#pi/screen";
import { episodesBack, PIN_ENTRY, planRelease, type Undone } from "#pi/session";
import { hasTerminal } from "../host.ts";
import { countedLimit } from "../state/request-context.ts";
import type { Runtime } from "../state/runtime.ts";
import { isIn, type Outlook } from "../state/session-state.ts";
import { type Command, type Context, episodeNamed, namesOf, recalledIn } from "./command.ts";
import {
	describeHighestCost,
	describeNextRequest,
	describeTaken,
	nextRequest,
	reportedSize,
} from "./next-request.ts";
import { reasonToKeep, reasonToStay } from "./why.ts";

/** @throws CwlError */
function refuseWhileOff({ settings }: Runtime) {
	if (settings.isEnabled) return;
	throw refusal(`cwl is off and ${WHILE_OFF}: /cwl on first.`);
}

export function createEvict(runtime: Runtime): Command {
	return {
		usage: "evict [REF]",
		purpose: "makes a pass now, or evicts one episode",
		async run(value, ctx) {
			refuseWhileOff(runtime);
			const outlook = await runtime.session.lookAhead(ctx);
			const episode = value === "" ? undefined : episodeNamed(outlook, value, "evict [REF]");
			const pass = episode ? passOf(runtime, outlook, episode) : passNow(runtime, outlook);
			if (typeof pass === "string") return pass;
			const recorded = runtime.decisions.evict(outlook, pass);
			const { input, sizes } = outlook;
			const planned = { at: "next request", dueIn: 0, idle: 0, pass, input } as const;
			const { part } = createPassReader(input.graph).sizesOf(recorded, sizes);
			const effect = describePass(planned, { ...sizes, part });
			const { then, cost } = await lookAfter(runtime, ctx);
			const end = episode ? describeRest(then, episode) : ` ${describeEnd(runtime, then, outlook)}`;
			const names = namesOf(pass, outlook, episode?.id);
			return `from the next request on, ${describeEffect(effect, sizes.isKnown)}: ${names}. ${cost}${end}`;
		},
	};
}

/** The session as it is after a command has changed it, and what the next request then costs at most. */
async function lookAfter(runtime: Runtime, ctx: Context) {
	const then = await runtime.session.lookAhead(ctx);
	return { then, cost: describeNextRequest(runtime, then) };
}

function passNow(runtime: Runtime, outlook: Outlook): Pass | string {
	const pass = planManualPass(outlook.plan.policy, outlook.input);
	return pass ?? `nothing to do: ${describeEnd(runtime, outlook)}`;
}

/** The size that a pass aims at, in the provider's tokens. */
function aimOf({ plan: { policy }, input, sizes }: Outlook): number {
	return sizes.budget(lowWaterOf(policy, input));
}

/**
 * The size at which a pass down to low water stopped, and the reason why most of it stays where that is above low water. `before` is the
 * session without the pass: low water moves with the thinking that left.
 */
function describeEnd(runtime: Runtime, outlook: Outlook, before = outlook): string {
	const { input, sizes } = outlook;
	const used = sizes.whole(totalTokens(input));
	const lowWater = Math.max(aimOf(before), aimOf(outlook));
	const limit = sizes.showReported(lowWater);
	const stay = `${sizes.showReported(used)} tokens stay`;
	if (used <= lowWater) return `${stay}: a pass stops as soon as it is at or below low water (${limit}).`;
	const leftIn = (episode: Episode) => episodeSizes(episode, input, sizes).left;
	const [largest] = input.graph.episodes.toSorted((a, b) => leftIn(b) - leftIn(a));
	const fixed = largestOfFloor({ ...input, sizes });
	if (!largest || leftIn(largest) < sizes.part(fixed.tokens))
		return `${stay}, above low water (${limit}). The largest part of them is ${fixed.text}, which no pass takes; ${fixed.remedy}.`;
	const reason = ` The largest part of them, ${nameText(largest.name)}, stays since ${reasonToStay(runtime, outlook, largest)}. /cwl why REF says why another one stays, /cwl evict REF evicts one.`;
	return `${stay}, above low water (${limit}), and /cwl evict takes no more.${reason}`;
}

/** @throws CwlError when nothing of the episode may leave */
function passOf(runtime: Runtime, outlook: Outlook, episode: Episode): Pass {
	const { input } = outlook;
	const isPinned = input.pinned?.has(episode.id);
	const pass = isPinned ? undefined : planEpisode(input, episode);
	if (pass) return pass;
	const held = isPinned ? reasonToStay(runtime, outlook, episode) : reasonToKeep(input, episode);
	const reason = isEvicted(episode, input.view) ? "it is evicted already" : held;
	throw refusal(`nothing of ${nameText(episode.name)} may leave now: ${reason}.`);
}

/** Says what an eviction by hand has left of an episode, and why; "" where that is nothing. */
function describeRest({ input, sizes }: Outlook, episode: Episode): string {
	const { left } = episodeSizes(episode, input, sizes);
	const name = nameText(episode.name);
	return left === 0
		? ""
		: ` ${sizes.showReported(left)} tokens of ${name} stay, since ${reasonToKeep(input, episode)}.`;
}

export function createUndo(runtime: Runtime): Command {
	return {
		usage: "undo",
		purpose: "takes the last pass back",
		async run(_value, ctx) {
			refuseWhileOff(runtime);
			const outlook = await runtime.session.lookAhead(ctx);
			const undone = outlook.session.planUndo(outlook.messages, outlook.input);
			if (!undone) throw refusal("there is no pass to take back.");
			const name = `pass ${runtime.session.lastPass()?.number}`;
			if (!undone.bringsBack) throw refusal(`${reasonToHold(name, undone, outlook)}.`);
			const after = lookAfterUndo(runtime, outlook, undone);
			if (after.due && leavesAgain(after.due.pass, undone))
				throw refusal(
					`the budget has no room for what ${name} took, which would leave again with the next request: /cwl settings budget raises it.`,
				);
			const effect = describeUndo(runtime, outlook, undone, after);
			if (hasTerminal(ctx) && !(await ctx.ui.confirm(`Take ${name} back?`, effect))) return `${name} stays.`;
			runtime.decisions.undo(await runtime.session.lookAhead(ctx));
			return `${name} is taken back: ${effect}`;
		},
	};
}

/** Says why nothing of what a pass took can come back. */
function reasonToHold(name: string, { pass }: Undone, { input }: Outlook): string {
	const thinking = new Set(input.graph.reasoning.map(({ id }) => id));
	const taken = [...takenBy(pass)];
	return taken.length > 0 && taken.every((item) => thinking.has(item))
		? `${name} took thinking alone, which later answers made invalid`
		: `a compaction summarized all that ${name} took: /cwl recall WHAT gives its exact text`;
}

/** The next request after an undo, with the input that it is planned from. */
function lookAfterUndo(runtime: Runtime, outlook: Outlook, { pass, view }: Undone) {
	const { ctx, input, settings } = outlook;
	const spared = new Set([...(input.spared ?? []), ...episodesBack(pass)]);
	// The limit that we count depends on the thinking that is left.
	const budget = countedLimit(settings, runtime.gauge.readFor(ctx, { ...input, view }));
	const then = { ...input, view, spared, budget };
	return { then, ...nextRequest(runtime, outlook, then) };
}

/** Returns true if a pass takes all that an undo brings back. */
function leavesAgain(next: Pass, { before, view }: Undone): boolean {
	const taken = takenBy(next);
	const back = [...before.removed].filter((item) => !view.removed.has(item));
	return back.length > 0 && back.every((item) => taken.has(item));
}

/** Says what the next request has again and costs at most once the pass that comes with it is made. */
function describeUndo(
	runtime: Runtime,
	outlook: Outlook,
	undone: Undone,
	{ then, due, sent }: ReturnType<typeof lookAfterUndo>,
): string {
	const { pass, view } = undone;
	const { ctx, input, sizes } = outlook;
	const sizeUnder = (of: Undone["view"]) => reportedSize(runtime, ctx, { ...input, view: of });
	const left = input.graph.reasoning.filter(({ id }) => !input.view.removed.has(id) && view.removed.has(id));
	const thinking = sizes.part(sumTokens(left), sealedIn(left, input.model));
	const lost =
		thinking > 0
			? ` ${sizes.showReported(thinking)} tokens of thinking leave, since older text changes.`
			: "";
	const price = `${lost} ${describeHighestCost(runtime, outlook, sent)}`;
	const back = sizeUnder(view) + thinking - sizeUnder(undone.before);
	const has = `the next request has ${describeBack(runtime, outlook, undone, back)}`;
	const stays = describeSpared(runtime, { ...outlook, input: then }, pass);
	if (!due) return `${has}.${price} ${stays}`;
	const taken = takenBy(due.pass);
	const isSame = [...takenBy(pass)].some((item) => taken.has(item));
	const comes = `comes with ${isSame ? "the next request" : "it"} and ${describeTaken(due, outlook)}.`;
	return isSame
		? `the budget leaves no room for all of it: the next pass ${comes}${price} /cwl pin keeps an episode.`
		: `${has}, and the next pass ${comes}${price} ${stays}`;
}

/** Says what an undo brings back, of which `back` are the tokens by which the request grows before thinking leaves; in the provider's. */
function describeBack(
	{ session }: Runtime,
	{ input, sizes }: Outlook,
	{ pass, view }: Undone,
	back: number,
): string {
	const taken = [...takenBy(pass)];
	const isCompacted = !taken.every(isIn(input));
	// A line may be as long as the text that is left of what it replaced.
	if (back <= 0 && isCompacted) return "again what a compaction left of the text that the pass replaced";
	if (back <= 0) return "the text again that the pass replaced";
	const some = `${sizes.showReported(back)} tokens again of what the pass took`;
	if (isCompacted) return `${some}, and of the rest the summary of a compaction`;
	return taken.some((item) => view.removed.has(item))
		? `${some}, without its thinking, which later answers made invalid`
		: `the ${freedText(session.lastPass() ?? pass, sizes)} tokens again that the pass took`;
}

/** Says how long what an undo brings back stays; the outlook is that after the undo. */
function describeSpared({ session }: Runtime, outlook: Outlook, pass: Pass): string {
	const { input, sizes } = outlook;
	const back = episodesBack(pass);
	const taken = new Set(pass.strips.flatMap(({ level, items }) => (level > 1 ? items : [])));
	const isCut = input.graph.episodes.some(
		({ id, items }) => !back.has(id) && items.some((item) => taken.has(item.id)),
	);
	if (isCut)
		return "Later passes spare what came back, but for work that a compaction cut: /cwl pin keeps that.";
	const all = takenBy(pass);
	const hasThinking = input.graph.reasoning.some(({ id }) => all.has(id) && !input.view.removed.has(id));
	const spares = `Later passes spare what came back${hasThinking ? ", except for its thinking" : ""}`;
	const last = session.planNext(outlook).find(({ at }) => at === "no room");
	if (!last) return `${spares} unless the budget cannot be met otherwise.`;
	const leaves = momentText(describePass(last, sizes), sizes.showReported);
	return `${spares}; it may leave again ${leaves}.`;
}

export function createPin(runtime: Runtime): Command {
	return {
		usage: "pin REF",
		purpose: "keeps an episode in the context; again lets it go",
		async run(value, ctx) {
			const outlook = await runtime.session.lookAhead(ctx);
			const { session, messages, plan, sizes } = outlook;
			// What passes took is away again once cwl is on.
			const input = session.planInput(messages, plan);
			const { pinned } = runtime.entries.decided();
			const named = episodeNamed(outlook, value, "pin REF");
			const called = nameText(named.name);
			const isGone = !pinned.has(named.id) && isEvicted(named, input.view);
			const note = recalledIn(input, named);
			const episode = isGone ? note : named;
			if (!episode) {
				const away = runtime.settings.isEnabled
					? "evicted already:"
					: "evicted again once cwl is on: /cwl on first, then";
				throw refusal(`${called} is ${away} /cwl recall ${called} brings its text back.`);
			}
			const { id, name } = episode;
			const isPinned = pinned.has(id);
			const shown = isGone ? `${nameText(name)}, which has recalled text of ${called},` : called;
			const rest =
				note && !isGone
					? ` Recalled text of it is in ${nameText(note.name)}, which /cwl pin ${nameText(note.name)} keeps.`
					: "";
			runtime.entries.write(ctx, PIN_ENTRY, { episode: id, isPinned: !isPinned });
			if (isPinned) return `${shown} is no longer pinned.`;
			const left = sizes.showReported(episodeSizes(episode, input, sizes).left);
			return `${shown} is pinned: no pass takes its ${left} tokens until you pin it again, except for its thinking, which may leave where older text changes; /compact still summarizes them.${rest}`;
		},
	};
}

export function createRelease(runtime: Runtime): Command {
	return {
		usage: "release",
		purpose: "shortens long text that you pasted",
		async run(_value, ctx) {
			refuseWhileOff(runtime);
			const outlook = await runtime.session.lookAhead(ctx);
			const { messages, input, sizes } = outlook;
			const pass = planRelease(messages, input, await loadTokenCounter());
			if (!pass)
				return "nothing to release: your last two messages stay whole, and older ones are short or cut already.";
			const recorded = runtime.decisions.evict(outlook, pass);
			const count = pass.releases?.length ?? 0;
			const tokens = freedText(recorded, sizes);
			const what =
				count === 1 ? "1 old message of yours keeps its" : `${count} old messages of yours keep their`;
			const { cost } = await lookAfter(runtime, ctx);
			return `${what} head and tail from the next request on, ${tokens} tokens less; recall has the rest, /cwl undo takes it back. ${cost}`;
		},
	};
}
