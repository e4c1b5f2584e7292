/** `/cwl evict`, `undo`, `pin` and `release`: what a person decides about passes and about what they may take. */
import { nameText } from "#basics";
import { leftOf, totalTokens } from "#core/ledger";
import type { Pass } from "#core/log";
import { lowWaterOf, planEpisode, planManualPass } from "#core/planning";
import { refusal } from "#pi";
import { loadTokenCounter } from "#pi/codec";
import { describePass, takenBy } from "#pi/health";
import { describeEffect, freedText, momentText, nameEpisodes, WHILE_OFF } from "#pi/screen";
import { episodesBack, PIN_ENTRY, planRelease, type Undone } from "#pi/session";
import { hasTerminal } from "../host.ts";
import type { Runtime } from "../state/runtime.ts";
import { isIn, isSummarized, type Outlook } from "../state/session-state.ts";
import { type Command, episodeNamed, recalledIn } from "./command.ts";
import { describeHighestCost, nextRequest } from "./next-request.ts";
import { reasonToStay } from "./why.ts";

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
			const pass = value === "" ? passNow(outlook) : passOf(runtime, outlook, value);
			if (typeof pass === "string") return pass;
			runtime.decisions.evict(outlook, pass);
			const { input, sizes } = outlook;
			const planned = { at: "next request", dueIn: 0, idle: 0, pass, input } as const;
			const effect = describePass(planned, sizes);
			const then = await runtime.session.lookAhead(ctx);
			const cost = describeHighestCost(nextRequest(runtime, then).sent, sizes);
			const end = value === "" ? ` ${describeEnd(then)}` : "";
			const names = nameEpisodes(pass, input.graph, outlook.messages);
			return `from the next request on, ${describeEffect(effect, sizes.isKnown)}: ${names}. ${cost}${end}`;
		},
	};
}

function passNow(outlook: Outlook): Pass | string {
	return planManualPass(outlook.plan.policy, outlook.input) ?? `nothing to do: ${describeEnd(outlook)}`;
}

/** The size at which a pass down to low water stops, and the reason where that is above low water. */
function describeEnd({ plan: { policy }, input, sizes }: Outlook): string {
	const total = totalTokens(input);
	const lowWater = lowWaterOf(policy, input);
	const limit = sizes.showReported(sizes.budget(lowWater));
	const stay = `${sizes.showWhole(total)} tokens stay`;
	return total > lowWater
		? `${stay}: below the budget a pass spares ${SPARED}, so it stops above low water (${limit}). /cwl why REF says why an episode stays, /cwl evict REF evicts one.`
		: `${stay}: a pass stops as soon as it is at or below low water (${limit}).`;
}

const SPARED =
	"open episodes, the newest work until your next message, failed calls, and what is pinned, marked to be kept or restored by /cwl undo";

/** @throws CwlError when nothing of the episode may leave */
function passOf(runtime: Runtime, outlook: Outlook, reference: string): Pass {
	const { input } = outlook;
	const episode = episodeNamed(outlook, reference, "evict [REF]");
	const pass = input.pinned?.has(episode.id) ? undefined : planEpisode(input, episode);
	if (pass) return pass;
	const isEvicted = input.view.episodes.get(episode.id)?.level === 4;
	const reason = isEvicted ? "it is evicted already" : reasonToStay(runtime, outlook, episode);
	throw refusal(`nothing of ${nameText(episode.name)} may leave now: ${reason}.`);
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
			if (isSummarized(undone.pass, outlook.input))
				throw refusal(
					`a compaction summarized all that ${name} took: /cwl recall WHAT gives its exact text.`,
				);
			const effect = describeUndo(runtime, outlook, undone);
			if (hasTerminal(ctx) && !(await ctx.ui.confirm(`Take ${name} back?`, effect))) return `${name} stays.`;
			runtime.decisions.undo(await runtime.session.lookAhead(ctx));
			return `${name} is taken back: ${effect}`;
		},
	};
}

/** Says what the next request has again and costs at most once the pass that comes with it is made. */
function describeUndo(runtime: Runtime, outlook: Outlook, { pass, view, change }: Undone): string {
	const { input, sizes } = outlook;
	const then = { ...input, view, spared: new Set([...(input.spared ?? []), ...episodesBack(pass)]) };
	const { due, sent } = nextRequest(runtime, outlook, then);
	const lost = change
		? ` ${sizes.show(change.before - change.after)} of thinking leave, since older text changes.`
		: "";
	const price = `${lost} ${describeHighestCost(sent, sizes)}`;
	const back = totalTokens({ ...input, view }) - totalTokens(input);
	const has = [...takenBy(pass)].every(isIn(input))
		? `the next request has the ${freedText(pass, sizes)} tokens again that the pass took`
		: `the next request has ${sizes.show(back)} tokens again of what the pass took, and of the rest the summary of a compaction`;
	const spared = describeSpared(runtime, { ...outlook, input: then }, pass);
	if (!due) return `${has}.${price} ${spared}`;
	const taken = takenBy(due.pass);
	const isSame = [...takenBy(pass)].some((item) => taken.has(item));
	const comes = `comes with ${isSame ? "the next request" : "it"} and takes ${sizes.showReported(describePass(due, sizes).freed)} tokens from ${nameEpisodes(due.pass, input.graph, outlook.messages)}.`;
	return isSame
		? `the budget leaves no room for all of it: the next pass ${comes}${price} /cwl pin keeps an episode.`
		: `${has}, and the next pass ${comes}${price} ${spared}`;
}

/** Says how long what an undo brings back stays; the outlook is that after the undo. */
function describeSpared({ session }: Runtime, outlook: Outlook, pass: Pass): string {
	const { input, sizes } = outlook;
	const isWhole = [...episodesBack(pass)].every((id) => input.graph.episodes.some((each) => each.id === id));
	if (!isWhole) return "The next pass may take it again, since a compaction cut its work: /cwl pin keeps it.";
	const last = session.planNext(outlook).find(({ at }) => at === "no room");
	if (!last) return "Later passes spare what came back unless the budget cannot be met otherwise.";
	const leaves = momentText(describePass(last, sizes), sizes.showReported);
	return `Later passes spare what came back; it may leave again ${leaves}.`;
}

export function createPin(runtime: Runtime): Command {
	return {
		usage: "pin REF",
		purpose: "keeps an episode in the context; again lets it go",
		async run(value, ctx) {
			const outlook = await runtime.session.lookAhead(ctx);
			const { input, sizes } = outlook;
			const { pinned } = runtime.entries.decided();
			const named = episodeNamed(outlook, value, "pin REF");
			const called = nameText(named.name);
			const isEvicted = !pinned.has(named.id) && input.view.episodes.get(named.id)?.level === 4;
			const episode = isEvicted ? recalledIn(input, named) : named;
			if (!episode)
				throw refusal(`${called} is evicted already: /cwl recall ${called} brings its text back.`);
			const { id, name } = episode;
			const isPinned = pinned.has(id);
			const shown = isEvicted ? `${nameText(name)}, which has recalled text of ${called},` : called;
			runtime.entries.write(ctx, PIN_ENTRY, { episode: id, isPinned: !isPinned });
			if (isPinned) return `${shown} is no longer pinned.`;
			const left = sizes.show(leftOf(episode, input.view));
			return `${shown} is pinned: no pass takes its ${left} tokens until you pin it again, except for its thinking, which may leave where older text changes; /compact still summarizes them.`;
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
			if (!pass) return "nothing to release: your long messages are recent or cut already.";
			runtime.decisions.evict(outlook, pass);
			const count = pass.releases?.length ?? 0;
			const tokens = sizes.show(pass.before - pass.after);
			const what =
				count === 1 ? "1 old message of yours keeps its" : `${count} old messages of yours keep their`;
			return `${what} head and tail from the next request on, ${tokens} tokens less; recall has the rest, /cwl undo takes it back.`;
		},
	};
}
