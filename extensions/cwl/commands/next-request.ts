/** The request that comes next, and what it costs at most. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { totalTokens } from "#core/ledger";
import { viewAfter } from "#core/log";
import type { PlanInput } from "#core/planning";
import { pricesAt } from "#core/prices";
import { describePass, dollars } from "#pi/health";
import { showTokens } from "#pi/screen";
import type { Runtime } from "../state/runtime.ts";
import type { Outlook } from "../state/session-state.ts";
import { namesOf } from "./command.ts";

/** The pass that comes with the next request of an input, and that request at its largest: a pass that a message may change may not come. */
export function nextRequest({ session }: Runtime, outlook: Outlook, input = outlook.input) {
	const [next] = session.planNext(outlook, input);
	const due = next?.at === "next message" || next?.at === "next request" ? next : undefined;
	const isSure = due && !due.dependsOnMessage;
	return { due, sent: isSure ? { ...input, view: viewAfter(input.view, due.pass) } : input };
}

/** The size of a request with this content, in the provider's tokens. */
export function reportedSize({ gauge }: Runtime, ctx: ExtensionContext, sent: PlanInput): number {
	return gauge.readFor(ctx, sent).sizes.whole(totalTokens(sent));
}

/**
 * Says what a request costs if the provider's cache has nothing of it: how much it has, only the provider knows. The provider has
 * not counted the request yet, so its figures are estimates.
 */
export function describeHighestCost(runtime: Runtime, { ctx }: Outlook, sent: PlanInput): string {
	const tokens = reportedSize(runtime, ctx, sent);
	const cost = sent.prices ? `, ~${dollars(pricesAt(sent.prices, tokens).write * tokens)}` : "";
	return `The next request writes at most all of its tokens (${showTokens(tokens, false)}${cost}), your message and the state of git to the provider's cache.`;
}

/** Says what the next request costs at most, and which pass comes with it. */
export function describeNextRequest(runtime: Runtime, outlook: Outlook): string {
	const { due, sent } = nextRequest(runtime, outlook);
	const pass = due ? ` The next pass comes with it and ${describeTaken(due, outlook)}.` : "";
	return `${describeHighestCost(runtime, outlook, sent)}${pass}`;
}

type DuePass = NonNullable<ReturnType<typeof nextRequest>["due"]>;

/** Says what the pass of the next request takes: `takes likely 3.4k tokens from find-limits`. */
export function describeTaken(due: DuePass, outlook: Outlook): string {
	const { sizes } = outlook;
	const likely = due.dependsOnMessage ? "likely " : "";
	const freed = sizes.showReported(describePass(due, sizes).freed);
	return `takes ${likely}${freed} tokens from ${namesOf(due.pass, outlook)}`;
}
