/** pi 1.6 keeps an idle provider cache warm. A refresh of what a pass is about to take is stopped, with our own prices. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { likelyRequests } from "#core/planning";
import { dollars, type NextPass } from "#pi/health";
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
		session.reportNext(outlook, { ...input, isCold }).find((pass) => pass.at === at);
	const warm = passIf(false);
	const cold = passIf(true);
	if (!prices || !(warm ?? cold)) return undefined;
	const used = sizes.whole(sizeOf(outlook.input).tokens);
	const effectOf = (pass: NextPass | undefined) => {
		return { freed: pass?.freed ?? 0, rewritten: pass?.effect?.rewritten ?? 0 };
	};
	const saved = savedByWarming(event, {
		used,
		prices,
		warm: effectOf(warm),
		cold: effectOf(cold),
		requests: likelyRequests(input.graph),
	});
	if (saved >= MIN_SAVINGS) return undefined;
	return describeStop(saved, warm ?? cold, sizes.showReported);
}

/** The words are those of pi's `/session`. */
function describeStop(saved: number, pass: NextPass | undefined, show: (tokens: number) => string): string {
	const when = pass ? momentText(pass, show) : "";
	const taken = pass ? `, since ${show(pass.freed)} tokens leave ${when}` : "";
	return `cache warming stopped: expected savings ${dollars(saved)} < ${dollars(MIN_SAVINGS)}${taken}.`;
}
