/** `/cwl evict [REF]`: a pass now, of one episode or down to low water. */
import type { Episode } from "#core/graph";
import { totalTokens } from "#core/ledger";
import type { Pass } from "#core/log";
import { lowWaterOf, planEpisode, planManualPass } from "#core/planning";
import { nameText } from "#core/projection";
import { CwlError, formatTokens } from "#pi";
import { inOneLine } from "../notice.ts";
import type { Runtime } from "../state/runtime.ts";
import type { PlanningContext } from "../state/session-state.ts";
import { type Command, type Context, episodeNamed, typeableNames } from "./command.ts";
import { describeBriefly, describeEffect } from "./plan.ts";

export function createEvict(runtime: Runtime): Command {
	return {
		usage: "evict [REF]",
		values: async () => typeableNames(await runtime.session.graph()),
		async run(value, ctx) {
			if (!runtime.settings.isEnabled) {
				throw new CwlError("off", "cwl is off and every request sends the whole history: /cwl on first.");
			}
			const outlook = await runtime.session.planning(ctx);
			const pass = value === "" ? passNow(runtime, ctx, outlook) : passOf(outlook, value);
			if (typeof pass === "string") return pass;
			runtime.decisions.evict(ctx, await runtime.session.managed(), pass);
			return inOneLine(
				`evicted from the next request on: ${describeEffect(runtime, ctx, outlook, pass)}`,
				...describeBriefly(runtime, ctx, outlook, pass),
			);
		},
	};
}

function passNow(runtime: Runtime, ctx: Context, { policy, input }: PlanningContext): Pass | string {
	const pass = planManualPass(policy, input);
	if (pass) return pass;
	const total = totalTokens(input.graph, input.view, input.fixed);
	const lowWater = lowWaterOf(policy, input);
	const show = (counted: number) => formatTokens(runtime.scale.reported(ctx, counted));
	return total > lowWater
		? `nothing may leave now; ${show(total)} tokens stay. /cwl why REF tells of one episode.`
		: `nothing to do: ${show(total)} tokens are below low water (${show(lowWater)}).`;
}

/** @throws CwlError when nothing of the episode may leave */
function passOf({ input }: PlanningContext, reference: string): Pass {
	const episode = episodeNamed(input.graph, reference, "evict [REF]");
	if (input.pinned?.has(episode.id)) {
		throw new CwlError("pinned", `${nameText(episode.name)} is pinned: /cwl unpin it first.`);
	}
	const pass = planEpisode(input, episode);
	if (pass) return pass;
	throw new CwlError(
		"nothing-to-evict",
		`nothing of ${nameText(episode.name)} may leave: ${reasonFor(input, episode)}.`,
	);
}

function reasonFor({ graph, view }: PlanningContext["input"], episode: Episode): string {
	if (view.episodes.get(episode.id)?.level === 4) return "it is evicted already";
	if (episode.state === "open") return "it is open and its past outputs are gone already";
	const holder = graph.episodes.find(
		({ id, dependencies }) => dependencies.includes(episode.id) && view.episodes.get(id)?.level !== 4,
	);
	if (holder) return `${nameText(holder.name)} builds on it and is still here`;
	return "it is part of the exchange in progress, or its line would cost more than it frees";
}
