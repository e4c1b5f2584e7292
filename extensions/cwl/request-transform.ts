/**
 * The pre-request transform. The path of one request: what the last answer taught (`learn.ts`), the request's context, the pass that is
 * due, the pass that the pressure asks for, the messages to send.
 */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { formatTokens } from "#basics";
import { changesContext, type Pass } from "#core/log";
import type { PlanInput } from "#core/planning";
import { describeFault } from "#pi";
import { adaptToApi, type HostMessage, withoutOthersThinking } from "#pi/codec";
import { describeMadePass, freedText, nameBlocker } from "#pi/screen";
import { createLastGood } from "#pi/session";
import { showStatus } from "./footer.ts";
import { onRequestMessages, tellNotice, tellProblem } from "./host.ts";
import { learn } from "./learn.ts";
import { sizeOf } from "./state/last-request.ts";
import type { RequestContext } from "./state/request-context.ts";
import type { Runtime } from "./state/runtime.ts";
import { readWhole } from "./state/session-state.ts";

/** `askPressure` plans the pass that the pressure of the context asks for. */
export function registerTransform(
	pi: ExtensionAPI,
	runtime: Runtime,
	askPressure: (request: RequestContext, input: PlanInput) => Pass | undefined,
) {
	const lastGood = createLastGood();
	const tellBlocker = createBlockerNotice();
	let shownFault: string | undefined;

	onRequestMessages(pi, async (given, ctx, head) => {
		let bounded: readonly HostMessage[] = given;
		try {
			runtime.entries.retry(ctx);
			const messages = runtime.session.repair(given);
			bounded = messages;
			const { isEnabled } = runtime.settings;
			// A session that it never managed is left alone.
			if (!isEnabled && !runtime.session.isManaged()) return undefined;
			bounded = await runtime.session.admitOutputs(ctx, messages);
			learn(pi, runtime, messages);
			await runtime.session.calibrate(ctx, messages);
			const request = await runtime.session.open(ctx, messages, head ?? runtime.fixed.text(ctx));
			const projected = project(request, isEnabled);
			const own = isEnabled ? withoutOthersThinking(projected, request.model) : projected;
			const adapted = adaptToApi(ctx.model?.api, own, bounded);
			lastGood.keep(messages, adapted);
			showStatus(runtime, ctx);
			return adapted;
		} catch (fault) {
			// An internal fault must never lose a request: send the last good projection, and the messages since.
			const reason = describeFault(fault);
			if (reason !== shownFault) {
				tellProblem(ctx, "error", `internal fault, sending the last good context. Please report: ${reason}`);
			}
			shownFault = reason;
			return lastGood.recover(bounded);
		}
	});

	/** The messages of a request, after the passes that are due; while CWL is off, none are. */
	function project(request: RequestContext, isEnabled: boolean) {
		const { ctx, session, messages, model, plan } = request;
		let projected = session.request(messages, plan, isEnabled);
		if (projected.change) runtime.decisions.changePrefix(request, projected.change);
		const due = projected.pass;
		if (due && changesContext(due)) {
			tellForced(runtime, ctx, due);
			tellPass(request, runtime.decisions.commit(request, due));
		}
		runtime.gauge.measure(ctx, projected.sent);
		const asked = isEnabled && askPressure({ ...request, ...runtime.gauge.read(ctx) }, projected.sent);
		if (asked) {
			tellPass(request, runtime.decisions.evict(request, asked));
			projected = session.request(messages, plan);
		}
		tellBlocker(request, due);
		const { sent } = projected;
		const changes = runtime.decisions.takeChanges();
		runtime.gauge.meter?.sent(model, { ...sent, isCold: plan.isCold }, changes, isEnabled);
		runtime.lastRequest.size = sizeOf(sent);
		runtime.lastRequest.protocol = session.state().graph.protocol;
		return projected.messages;
	}
}

/** Says once what keeps the context above its budget, and again only when that changes. */
function createBlockerNotice() {
	let shown: string | undefined;
	return ({ ctx, sizes }: RequestContext, pass: Pass | undefined) => {
		const [first] = pass?.blockers ?? [];
		const largest = first && nameBlocker(first);
		if (pass && largest && largest.what !== shown) {
			const limit = formatTokens(sizes.budget(pass.budget));
			const state = `${sizes.showWhole(pass.after)} of ${limit} tokens and nothing that this request could evict`;
			const remedy = `Largest: ${largest.what} (${sizes.show(largest.tokens)}); ${largest.remedy}.`;
			tellProblem(ctx, "warning", `${state}. ${remedy}`);
		}
		shown = largest?.what;
	};
}

/** Tells a user who took a pass back that the budget evicts text of it again; the notice of the pass says how much. */
function tellForced({ entries }: Runtime, ctx: ExtensionContext, pass: Pass) {
	const { spared } = entries.decided();
	if (!pass.strips.some(({ episode, level }) => level > 1 && spared.has(episode))) return;
	const problem = "the budget is too small for what /cwl undo brought back: text of it is evicted again.";
	tellProblem(ctx, "warning", `${problem} /cwl settings budget raises it.`);
}

function tellPass(request: RequestContext, pass: Pass) {
	const { ctx, session, sizes } = request;
	const { graph, messages } = readWhole({ ...request, input: session.state() });
	tellNotice(ctx, describeMadePass(pass, freedText(pass, sizes), graph, messages));
}
