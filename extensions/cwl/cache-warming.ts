/** pi 1.6 keeps an idle provider cache warm. A refresh of what a pass is about to take is stopped, with our own prices. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { likelyRequests, passEffect } from "#core/planning";
import { dollars } from "#pi/health";
import { MIN_SAVINGS, savedByWarming, type WarmingEvent } from "#pi/requests";
import { momentText } from "#pi/screen";
import { hasSystemMessages, onBranchOpened, tellNotice } from "./host.ts";
import { sizeOf } from "./state/last-request.ts";
import type { Runtime } from "./state/runtime.ts";

/** Older hosts keep no cache warm. */
export function registerCacheWarming(pi: ExtensionAPI, runtime: Runtime) {
	if (!hasSystemMessages(pi)) return;
	let isSaid = false;
	onBranchOpened(pi, () => {
		isSaid = false;
	});
	pi.on("cache_warming_decision", async (event, ctx) => {
		if (!runtime.settings.isEnabled || event.action === "stop") return undefined;
		const found = await findReason(runtime, event, ctx);
		if (!found) return undefined;
		if (!isSaid) tellNotice(ctx, found);
		isSaid = true;
		return { action: "stop" };
	});
}

/** Says why a refresh is not worth its price; undefined if it is, or if no pass comes with the next request. */
async function findReason(
	{ session }: Runtime,
	event: WarmingEvent,
	ctx: ExtensionContext,
): Promise<string | undefined> {
	const outlook = await session.lookAhead(ctx);
	const { input, sizes, prices } = outlook;
	const at = ctx.isIdle() ? "next message" : "next request";
	const passIf = (isCold: boolean) =>
		session.planNext(outlook, { ...input, isCold }).find((planned) => planned.at === at);
	const warm = passIf(false);
	const cold = passIf(true);
	const next = warm ?? cold;
	if (!prices || !next) return undefined;
	const effectOf = (planned: typeof warm) => {
		const { freed, rewritten } = planned
			? passEffect(planned.input, planned.pass)
			: { freed: 0, rewritten: 0 };
		return { freed: sizes.part(freed), rewritten: sizes.part(rewritten) };
	};
	const saved = savedByWarming(event, {
		used: sizes.whole(sizeOf(input).tokens),
		prices,
		warm: effectOf(warm),
		cold: effectOf(cold),
		requests: likelyRequests(input.graph),
	});
	if (saved >= MIN_SAVINGS) return undefined;
	const show = sizes.showReported;
	// The words are those of pi's `/session`.
	return `cache warming stopped: expected savings ${dollars(saved)} < ${dollars(MIN_SAVINGS)}, since ${next.dependsOnMessage ? "likely " : ""}${show(effectOf(next).freed)} tokens leave ${momentText(next, show)}.`;
}
