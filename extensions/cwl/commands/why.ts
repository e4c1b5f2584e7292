/** `/cwl why REF|PASS`: why an episode was evicted or stays, or why a pass was made. Changes nothing. */
import { countOf, formatTokens, nameText } from "#basics";
import type { Episode } from "#core/graph";
import { isEvicted, leftOf, sealedAmong } from "#core/ledger";
import { createNetSizes, type Pass, type Strip } from "#core/log";
import { inProgressIn, isPrefixChange, MANUAL_PASS, type PlanInput } from "#core/planning";
import { isResultId } from "#pi/codec";
import { createPassReader, firstOfEach, outputWorths } from "#pi/health";
import {
	episodeSizes,
	freedText,
	momentText,
	passSizes,
	type Sizes,
	showTokens,
	WHILE_OFF,
	worthText,
} from "#pi/screen";
import { type NumberedPass, passesIn } from "#pi/session";
import type { Runtime } from "../state/runtime.ts";
import type { Outlook } from "../state/session-state.ts";
import { type Command, describeCompacted, episodeNamed, kindText, namesOf, recalledIn } from "./command.ts";

/** `1.4k tokens of it`: what a pass takes of an episode, in the provider's tokens. */
function partText({ level, tokens }: Pick<Strip, "level" | "tokens">, isKnown: boolean): string {
	return `${showTokens(tokens, isKnown)} tokens of ${level === 1 ? "its reasoning" : "it"}`;
}

export function createWhy(runtime: Runtime): Command {
	return {
		usage: "why REF|PASS",
		purpose: "says why an episode was evicted or stays, or why a pass was made",
		async run(value, ctx) {
			const outlook = await runtime.session.lookAhead(ctx);
			const { passes: log, made } = runtime.entries.decided();
			const inForce = passesIn(log);
			const number = Number(/^#?(\d+)$/.exec(value)?.[1]);
			const pass = inForce.find((each) => each.number === number);
			if (pass) return describePass(pass, outlook);
			if (number > 0 && number <= made) return `pass ${number} was taken back (/cwl undo).`;
			const compacted = value && describeCompacted(outlook, value);
			if (compacted) return compacted;
			const end = inForce.at(-1)?.number === made ? "" : ", and it was taken back";
			const episode = episodeNamed(outlook, value, "why REF|PASS", made && `pass ${made}${end}`);
			const { sizes, input } = outlook;
			const { view } = input;
			const { level } = view.episodes.get(episode.id) ?? {};
			const size = episodeSizes(episode, input, sizes);
			const left = `${sizes.showReported(size.left)} of ${sizes.showReported(size.whole)} tokens are here`;
			const did = describePasses(log, episode, outlook);
			const note = did === "" ? undefined : recalledIn(outlook.input, episode);
			const passes = note ? `${did}; recalled text of it is in ${nameText(note.name)}` : did;
			const kind = kindText(outlook.messages, episode);
			const name = `${nameText(episode.name)} (${kind}, ${episode.state})`;
			const reason = reasonToStay(runtime, outlook, episode);
			if (!runtime.settings.isEnabled) return `${name}: ${left}, since ${reason}.`;
			const worth = worthOf(outlook, episode);
			const whole = level === undefined ? ", whole" : "";
			// A compaction may have summarized all that a pass names.
			if (level !== undefined && leftOf(episode, view) === 0)
				return `${name} was evicted${passes && `: ${passes}`}. The session file still holds it${input.pinned?.has(episode.id) ? `, and ${PINNED}` : ""}.`;
			if (passes === "") return `${name}: ${left}${whole}, since ${reason}.${worth}`;
			return `${name}: ${left}; ${passes}. The rest stays since ${reason}.${worth}`;
		},
	};
}

function describePass(pass: NumberedPass, outlook: Outlook): string {
	const { number, policy } = pass;
	const { sizes } = outlook;
	const names = namesOf(pass, outlook);
	return `pass ${number} (${policy}) freed ${freedText(pass, sizes)} tokens of ${names}, as ${causeOf(pass, sizes)}.`;
}

const OUTPUTS_SHOWN = 3;

/** The worth of the largest outputs of an episode, each file once, in the words of `/cwl plan`; "" if the policy does not ask that. */
function worthOf({ plan: { policy }, input, sizes }: Outlook, { id }: Episode): string {
	const worths = outputWorths(policy, input, sizes)
		.filter(({ episode }) => episode === id)
		.map(({ worth }) => worth)
		.toSorted((a, b) => b.tokens - a.tokens);
	const shown = firstOfEach(worths).slice(0, OUTPUTS_SHOWN);
	const more = worths.length > shown.length ? `; and ${worths.length - shown.length} more` : "";
	return worths.length > 0 ? ` Its outputs: ${shown.map(worthText).join("; ")}${more}.` : "";
}

function describePasses(
	log: readonly NumberedPass[],
	{ id, name }: Episode,
	{ input, sizes }: Outlook,
): string {
	const { graph } = input;
	const reader = createPassReader(graph);
	const sealedOf = sealedAmong(graph);
	const parts = log.map(createNetSizes()).flatMap((pass) => {
		const { isKnown, part } = reader.sizesOf(pass, sizes);
		const { strips, reductions } = reader.partsOf(pass, part);
		const reduced = reductions.filter(({ episode }) => episode === name);
		const taken = strips.find(({ episode, tokens }) => episode === name && tokens > 0);
		const own = pass.strips.filter(({ episode }) => episode === id);
		const isUnsent = own.some(({ items }) => sealedOf(items, pass.model).unsent > 0);
		// What leaves of the thinking has no line in its place.
		const verb = taken?.level === 1 ? "took" : "freed";
		const gone = taken && (own.length > 0 ? `${verb} ${partText(taken, isKnown)}` : "took parts of it");
		const did = [
			...(gone ? [gone] : []),
			...(reduced.length > 0
				? [`reduced ${countOf(reduced.length, "output")} (recall gives the exact text)`]
				: []),
			...(isUnsent && !taken ? ["made another model's reasoning in it invalid"] : []),
		];
		if (did.length === 0) return [];
		const what = did.join(" and ");
		if (isPrefixChange(pass)) return [`a change of older text ${what}`];
		const isThought = taken ? taken.level === 1 : isUnsent;
		const cause = isThought && pass.forfeited ? "older text changed" : causeOf(pass, sizes);
		return [`pass ${pass.number} (${pass.policy}) ${what}, as ${cause}`];
	});
	return [...new Set(parts)].join("; ");
}

const causes: Readonly<Partial<Record<NonNullable<Pass["decision"]>["reason"], string>>> = {
	"turn begins": "keeping it cost more than it was worth and your turn began",
	"pays for itself": "it was expected to pay for itself soon",
	"over a hard limit": "a component was over its hard limit",
	"cold cache": "the provider's cache was cold and it cost nothing",
};

export function causeOf(pass: Pass, sizes: Sizes): string {
	const { policy, before, budget, decision, newest } = pass;
	if (policy === MANUAL_PASS) return "you asked for it";
	if (decision?.reason === "next work begins") {
		// A mark has a result.
		const isMarked = newest !== undefined && isResultId(newest);
		return `the work was finished and ${isMarked ? "the model marked its next expl" : "your turn began"}`;
	}
	const cause = decision && causes[decision.reason];
	if (cause) return cause;
	if (before <= budget) return "the pressure of the context asked for it";
	const then = passSizes(pass, sizes);
	const size = showTokens(then.reported.before, then.isKnown);
	return `the context was at ${size} tokens of ${formatTokens(then.reported.budget)}`;
}

const PINNED = "you pinned it (/cwl pin again lets it go)";

/** The first of the reasons that hold, the hardest first; and what leaves all the same, with the nearest pass that takes of it. */
export function reasonToStay(
	{ session, settings, entries, lastRequest }: Runtime,
	outlook: Outlook,
	episode: Episode,
): string {
	const { input, plan, sizes } = outlook;
	const { pinned } = input;
	if (!settings.isEnabled) return `cwl is off and ${WHILE_OFF}`;
	const { spared, takenBack } = entries.decided();
	const isBack = spared.has(episode.id);
	const asked = lastRequest.recalled.has(episode.id) ? "a recall asked for it" : undefined;
	const spare = isBack ? `pass ${takenBack.get(episode.id)} was taken back (/cwl undo)` : asked;
	// What is left once its work has gone is held by other work.
	const isRest = (input.view.episodes.get(episode.id)?.level ?? 0) > 2;
	const keeper = (isRest ? heldBy(input, episode) : undefined) ?? spare;
	const isPinned = pinned?.has(episode.id) === true;
	const isOpen = episode.state === "open";
	for (const next of session.reportNext(outlook)) {
		const strip = next.strips.find(({ episode: name, tokens }) => name === episode.name && tokens > 0);
		if (!strip) continue;
		const isForced = isBack && strip.level > 1 && next.effect !== null;
		const room = isForced ? ", but the budget has no room for all that it took" : "";
		const rest = isOpen && strip.level === 1 ? OPEN : "its pass is yet to come";
		const cause = isPinned ? PINNED : `${keeper ?? rest}${room}`;
		const leave = `${next.effect ? "" : "may "}leave ${momentText(next, sizes.showReported)}`;
		return `${cause}; ${partText(strip, sizes.isKnown)} ${leave}`;
	}
	if (isPinned) return PINNED;
	if (isOpen) return `${keeper ?? OPEN}: what is here stays unless the budget would break`;
	if (keeper) return keeper;
	return (
		heldBy(input, episode) ??
		`policy ${plan.policy.name} takes what is older, larger or shown again later before it, or ${NO_GAIN}`
	);
}

const OPEN = "it is open";
const NO_GAIN = "a line for it would be longer than it is";

/** The reason why a person can evict nothing more of an episode that is not pinned. */
export function reasonToKeep(input: PlanInput, episode: Episode): string {
	return heldBy(input, episode) ?? (episode.state === "open" ? OPEN : NO_GAIN);
}

/** Names the part of the session that needs an episode; undefined where none does. */
function heldBy({ graph, view }: PlanInput, episode: Episode): string | undefined {
	if (inProgressIn(graph)(episode))
		return (episode.items.at(-1)?.message ?? 0) < graph.lastExchange
			? "the work since your last message begins with it"
			: "the last answer and its results are part of it";
	const holder = graph.episodes.find(
		(each) => each.dependencies.includes(episode.id) && !isEvicted(each, view),
	);
	return holder && `${nameText(holder.name)} builds on it and is still here`;
}
