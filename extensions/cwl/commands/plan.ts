/** `/cwl plan` and `/cwl why REF`: what the next pass would take and cost, and why an episode is where it is. Both change nothing. */
import type { Episode, Graph } from "#core/graph";
import { leftOf } from "#core/ledger";
import { type Pass, type StripLevel, touchedEpisodes } from "#core/log";
import {
	inProgressIn,
	likelyRequests,
	MANUAL_PASS,
	PREFIX_CHANGED,
	passEffect,
	previewNextTurn,
	previewPass,
} from "#core/planning";
import { pricePass } from "#core/prices";
import { nameText } from "#core/transcript";
import { countOf, levelText } from "#pi/screen";
import { explainChoice } from "../state/budget.ts";
import type { Runtime } from "../state/runtime.ts";
import type { PlanningContext } from "../state/session-state.ts";
import { type Command, type Context, episodeNamed } from "./command.ts";

const EPISODES_SHOWN = 12;

export function createPlan(runtime: Runtime): Command {
	return {
		usage: "plan",
		purpose: "previews the next pass and its price",
		async run(_value, ctx) {
			const outlook = await runtime.session.planning(ctx);
			const tokens = runtime.scale.show(ctx);
			const { pass, seam, ...wait } = previewPass(outlook.policy, outlook.input);
			const turn = wait.toCome > 0 ? previewNextTurn(outlook.policy, outlook.input) : undefined;
			const due = `is due ${describeWait(outlook, wait, tokens)}`;
			const budget = [
				...describeAt("the next piece of work", seam, outlook, tokens),
				...describeAt("your next message", turn, outlook, tokens),
				`budget ${explainChoice(runtime, ctx, outlook)}`,
			].join("\n");
			const off = runtime.settings.isEnabled
				? ""
				: "cwl is off: no pass is made until /cwl on. From then on ";
			if (!pass) return `${off}the next pass ${due} and could take nothing of what is here now.\n${budget}`;
			const taken = pass.strips.map((strip) => describeStrip(outlook.input.graph, strip, tokens));
			const { fades = [] } = pass;
			const freed = tokens(fades.reduce((sum, fade) => sum + fade.tokens, 0));
			const outputs = countOf(fades.length, "output");
			const note = `  faded: ${outputs}, ${freed} tokens less than whole; recall gives the exact text`;
			const faded = fades.length > 0 ? [note] : [];
			const more = taken.length > EPISODES_SHOWN ? [`  and ${taken.length - EPISODES_SHOWN} more`] : [];
			const head = `${off}the next pass ${due} and would take ${describeEffect(runtime, ctx, outlook, pass)}`;
			return [head, ...faded, ...taken.slice(0, EPISODES_SHOWN), ...more, budget].join("\n");
		},
	};
}

/** Returns the size at which a pass is due, in words, and that one may come before. */
function describeWait(
	{ policy, input }: PlanningContext,
	{ toCome, paysLater }: { readonly toCome: number; readonly paysLater: boolean },
	show: (counted: number) => string,
): string {
	if (toCome === 0) return "with the next request";
	const isEarly = policy.passesEarly && input.lowWater !== "quality";
	return `in ${show(toCome)} tokens${paysLater ? " once it pays" : ""}${isEarly ? ", or when a turn begins where that pays," : ""}`;
}

/** One sentence on the pass that an event brings: its effect, and when it pays for itself. */
function describeAt(
	event: string,
	pass: Pass | undefined,
	{ input }: PlanningContext,
	show: (counted: number) => string,
): readonly string[] {
	const decision = pass?.decision;
	if (!decision) return [];
	const { freed, rewritten, paidBackAfter } = decision;
	const likely = Math.floor(likelyRequests(input.graph));
	const pays =
		paidBackAfter === undefined || paidBackAfter > likely
			? `would not pay within the next ${countOf(likely, "request")}, as many as are likely, so it waits`
			: paidBackAfter <= 1
				? "pays at once"
				: `pays after ${countOf(paidBackAfter, "request")}`;
	return [`at ${event}: frees ${show(freed)}, rewrites ${show(rewritten)}, ${pays}`];
}

function describeStrip(
	{ episodes }: Graph,
	{ episode: id, level, tokens }: Pass["strips"][number],
	show: (counted: number) => string,
): string {
	const episode = episodes.find((candidate) => candidate.id === id);
	const name = `${(episode?.kind ?? "").padEnd(4)} ${nameText(episode?.name ?? id)}`;
	return `  ${name}: ${show(tokens)}, ${levelText(level)}`;
}

/** The tokens that a pass frees, and its cost: `12k tokens of 3 episodes; 20k cached tokens are then sent again, ...`. */
export function describeEffect(runtime: Runtime, ctx: Context, outlook: PlanningContext, pass: Pass): string {
	const tokens = runtime.scale.show(ctx);
	const { freed, rewritten } = passEffect(outlook.input, pass);
	const { prices } = outlook.input;
	const { forfeited = 0, before } = pass;
	const price = prices && pricePass({ freed, rewritten, forfeited, before }, prices);
	const thinking = forfeited > 0 ? `, ${tokens(forfeited)} of them thinking that was bound to the rest` : "";
	return (
		`${tokens(freed)} tokens of ${countOf(touchedEpisodes(pass).size, "episode")}${thinking}; ` +
		`${tokens(rewritten)} cached tokens are then sent again${price ? `, ${describePrice(price)}` : ""}.`
	);
}

function describePrice({ cost, saving, paidBackAfter }: ReturnType<typeof pricePass>): string {
	if (!Number.isFinite(paidBackAfter)) return dollars(cost);
	const after = countOf(paidBackAfter, "request");
	return `${dollars(cost)} once, against ${dollars(saving)} less a request: paid back after ${after}`;
}

export function dollars(amount: number): string {
	return `$${amount.toPrecision(2)}`;
}

const taken = {
	1: "its reasoning",
	2: "bulk outputs",
	3: "outputs",
	4: "all of it",
} as const satisfies Record<StripLevel, string>;

export function createWhy(runtime: Runtime): Command {
	return {
		usage: "why REF",
		purpose: "says why an episode was evicted, or stays",
		async run(value, ctx) {
			const outlook = await runtime.session.planning(ctx);
			const episode = episodeNamed(outlook.input.graph, value, "why REF");
			const { log } = (await runtime.session.managed()).state();
			const tokens = runtime.scale.show(ctx);
			const { view } = outlook.input;
			const { level } = view.episodes.get(episode.id) ?? {};
			const left = `${tokens(leftOf(episode, view))} of ${tokens(episode.tokens)} tokens are here`;
			const passes = describePasses(log, episode, tokens);
			const name = `${nameText(episode.name)} (${episode.kind}, ${episode.state})`;
			if (level === 4) return `${name} was evicted: ${passes}. The session file still holds it.`;
			const reason = reasonToStay(outlook, episode, tokens);
			if (level === undefined && passes === "") return `${name}: ${left}, whole, since ${reason}.`;
			return `${name}: ${left}; ${passes}. The rest stays since ${reason}.`;
		},
	};
}

function describePasses(log: readonly Pass[], { id }: Episode, show: (tokens: number) => string): string {
	const parts = log.flatMap((pass, index) => {
		const faded = (pass.fades ?? []).filter(({ episode }) => episode === id);
		const strip = pass.strips.find(({ episode }) => episode === id);
		const did = [
			...(strip && strip.items.length > 0
				? [`took ${taken[strip.level]}, ${show(strip.tokens)} tokens`]
				: []),
			...(faded.length > 0 ? [`faded ${countOf(faded.length, "output")} (recall gives the exact text)`] : []),
		];
		if (did.length === 0) return [];
		return [`pass ${index + 1} (${pass.policy}) ${did.join(" and ")}, as ${causeOf(pass, show)}`];
	});
	return parts.join("; ");
}

const causes: Readonly<Partial<Record<NonNullable<Pass["decision"]>["reason"], string>>> = {
	"next work begins": "its work was finished and the next piece of work began",
	"turn begins": "almost nothing of it is ever needed again and your turn began",
	"pays for itself": "it was expected to pay for itself soon",
	"over a hard limit": "a component was over its hard limit",
	"cold cache": "the provider's cache was cold and it cost nothing",
};

function causeOf({ policy, before, budget, decision }: Pass, show: (tokens: number) => string): string {
	if (policy === MANUAL_PASS) return "you asked for it";
	if (policy === PREFIX_CHANGED) return "what stood in front of it changed";
	const cause = decision && causes[decision.reason];
	if (cause) return cause;
	if (before <= budget) return "the context entered a zone that asks for it";
	return `the context was at ${show(before)} tokens of ${show(budget)}`;
}

/** The first of the reasons that hold, the hardest first. */
export function reasonToStay(
	{ policy, input }: PlanningContext,
	episode: Episode,
	show: (tokens: number) => string,
): string {
	const { graph, view, pinned } = input;
	if (pinned?.has(episode.id)) return "you pinned it (/cwl pin again lets it go)";
	if (episode.state === "open") return "it is open: no more of it leaves unless the budget would break";
	if (inProgressIn(graph)(episode)) return "the exchange in progress is part of it";
	const { pass, toCome } = previewPass(policy, input);
	const strip = pass?.strips.find(({ episode: id }) => id === episode.id);
	if (strip) {
		const due = toCome > 0 ? `, due in ${show(toCome)} tokens or before,` : "";
		return `no pass was due; the next one${due} takes ${taken[strip.level]}`;
	}
	const holder = graph.episodes.find(
		({ id, dependencies }) => dependencies.includes(episode.id) && view.episodes.get(id)?.level !== 4,
	);
	return holder
		? `${nameText(holder.name)} builds on it and is still here`
		: `policy ${policy.name} finds enough that is older, larger or shown again later, or its line would cost more`;
}
