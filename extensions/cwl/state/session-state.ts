/** The session under management, on the branch that pi has open. */

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import * as host from "@mariozechner/pi-coding-agent";
import type { EpisodeId, Graph } from "#core/graph";
import type { Pass } from "#core/log";
import type { PlanInput } from "#core/planning";
import type { ItemId } from "#core/transcript";
import { defaultToolTable } from "#pi";
import { type HostMessage, loadTokenCounter, repairMessage } from "#pi/codec";
import { planNextPasses, reportNextPasses } from "#pi/health";
import { noOutputLimits } from "#pi/outputs";
import { createTrafficMeter, lifetimeOf, readRetention } from "#pi/requests";
import {
	createManagedSession,
	type ManagedSession,
	type NextInput,
	OUTPUTS_ENTRY,
	passesIn,
	readHistory,
} from "#pi/session";
import { planAskedPass } from "./asked-pass.ts";
import { changeSize } from "./fixed-parts.ts";
import { sizeOf } from "./last-request.ts";
import { openRequest, type RequestContext, type RequestSources, readFree } from "./request-context.ts";

/**
 * The messages that pi would send, its own compactions applied, and the number of them with fields of a wrong type; `whole` is
 * everything, where a compaction hides some of it. `leaf` is the entry that the branch ends with.
 */
export function readBranch({ sessionManager }: ExtensionContext, leaf = sessionManager.getLeafId()) {
	const entries = leaf === null ? [] : sessionManager.getBranch(leaf);
	const { messages } = host.buildSessionContext(entries, leaf);
	const context = messages.map(repairMessage);
	const damaged = context.filter((message, index) => message !== messages[index]).length;
	const left = entries.filter(({ type }) => type !== "compaction");
	if (left.length === entries.length) return { context, whole: undefined, damaged };
	// pi follows parents: with new links the branch is as if it had never been compacted.
	const linked = left.map((entry, i) => ({ ...entry, parentId: left[i - 1]?.id ?? null }));
	return { context, whole: host.buildSessionContext(linked).messages.map(repairMessage), damaged };
}

/** The branch up to each of pi's compactions and up to its end, with the messages that pi sent by then. */
function readStretches(ctx: ExtensionContext) {
	const branch = ctx.sessionManager.getBranch();
	const ends = branch.flatMap(({ type, parentId }) => (type === "compaction" ? [parentId] : []));
	return [...ends, ctx.sessionManager.getLeafId()].map((leaf) => ({
		branch: leaf === null ? [] : ctx.sessionManager.getBranch(leaf),
		context: readBranch(ctx, leaf).context,
	}));
}

/** A look at the session between two requests, with the input that a pass would be planned from. */
export interface Outlook extends RequestContext {
	readonly input: NextInput;
}

/** The session from its beginning, what pi's compactions hide included; `messages` are those of `graph`. */
export function readWhole(
	{
		ctx,
		session,
		input,
		messages,
	}: RequestContext & { readonly input: Pick<NextInput, "graph" | "view" | "lost"> },
	isOn = true,
) {
	const isCompacted = ctx.sessionManager.getBranch().some(({ type }) => type === "compaction");
	const { whole } = isCompacted ? readBranch(ctx) : {};
	return whole
		? { messages: whole, ...session.inspect(whole, isOn, input.lost) }
		: { messages, graph: input.graph, view: input.view };
}

/** Returns a function that tells if an item is in the session, and not summarized by a compaction. */
export function isIn({ graph }: PlanInput): (item: ItemId) => boolean {
	const here = new Set(graph.messages.flatMap(({ items }) => items.map(({ id }) => id)));
	return (item) => here.has(item);
}

export type SessionState = ReturnType<typeof createSessionState>;

export function createSessionState(sources: RequestSources) {
	const { settings, entries, lastRequest, gauge, fixed } = sources;
	let session: ManagedSession | undefined;
	let opened: ExtensionContext | undefined;
	let damaged = 0;
	/** The last pass, if nothing of what it took can come back. */
	let irrevocable: Pass | undefined;

	/** The last pass that holds, made in this process or before it. */
	const lastPass = () => passesIn(entries.decided().passes).at(-1);

	/** The session under management; the first call loads the tokenizer. */
	async function managed(): Promise<ManagedSession> {
		if (session) return session;
		const count = await loadTokenCounter();
		// Another call may have come here first.
		if (session) return session;
		session = createManagedSession(count, { ...entries.decided(), cwd: opened?.cwd });
		return session;
	}

	/** Returns true once a request of this session's branch has been sent under management, in this process or before. */
	function isManaged(): boolean {
		const { prefix, passes } = entries.decided();
		return prefix !== undefined || passes.length > 0;
	}

	/** Restores the calibration from the session file, once for a branch. */
	async function calibrate(ctx: ExtensionContext, messages: readonly HostMessage[]) {
		if (gauge.meter) return;
		const { count, countAhead, recount } = await managed();
		const meter = createTrafficMeter();
		const { on, off } = entries.decided().fixed;
		const next = fixed.tokens(ctx, count);
		const fixedOf = (isOn: boolean) => (isOn ? on : off) ?? next;
		// Where entries of the log cannot be read, the requests that they led to are unknown.
		const isWhole = entries.decided().unreadable === 0;
		const answers = [];
		for (const { branch, context } of isWhole ? readStretches(ctx) : []) {
			await countAhead(context);
			answers.push(...recount(readHistory(branch, context), fixedOf, changeSize(count)));
		}
		meter.relearn(answers, messages);
		gauge.meter = meter;
	}

	/** Looks at the next request as it would be planned now; makes no pass. */
	async function lookAhead(ctx: ExtensionContext): Promise<Outlook> {
		const session = await managed();
		const messages = readBranch(ctx).context;
		const { isEnabled } = settings;
		await session.countAhead(messages);
		await calibrate(ctx, messages);
		const open = () => openRequest(sources, ctx, session, messages);
		// The budget is counted with the thinking that the next request still has.
		const isSwitched = entries.decided().prefix?.isOn === !isEnabled;
		gauge.measure(ctx, session.planInput(messages, open().plan, isEnabled), isSwitched);
		const request = open();
		const input = session.planInput(messages, request.plan, isEnabled);
		return { ...request, input };
	}

	/** The passes to come, from the input of an outlook or from another one; none while CWL is off. */
	function planNext(outlook: Outlook, input = outlook.input) {
		if (!settings.isEnabled) return [];
		const ask = (at: PlanInput) => planAskedPass(outlook, at, lastRequest).pass;
		const { model } = outlook.ctx;
		const lifetime = model ? lifetimeOf(model, readRetention(process.env)) : 0;
		return planNextPasses(outlook.plan.policy, input, ask, lifetime);
	}

	/** The same in names and in the provider's tokens. */
	function reportNext(outlook: Outlook, input = outlook.input) {
		return reportNextPasses(planNext(outlook, input), outlook.plan.policy, input, outlook.sizes);
	}

	return {
		managed,
		isManaged,
		calibrate,
		lookAhead,
		planNext,
		reportNext,
		/** A request that is about to be sent; `head` is the system prompt and the tools as one text. */
		async open(
			ctx: ExtensionContext,
			messages: readonly HostMessage[],
			head: string,
		): Promise<RequestContext> {
			const session = await managed();
			sources.gauge.measure(ctx, session.sync(messages));
			return openRequest(sources, ctx, session, messages, head);
		},
		/** Looks back at the last request as it was sent. */
		async lookBack(ctx: ExtensionContext) {
			const session = await managed();
			sources.gauge.measure(ctx, session.state());
			const request = openRequest(sources, ctx, session, []);
			const { graph, view } = session.state();
			return { ...request, input: { graph, view, tools: defaultToolTable, ...request.plan } };
		},
		lastPass,
		/** The pass that `/cwl undo` takes back. */
		undoable: () => (lastPass() === irrevocable ? undefined : lastPass()),
		/** The messages, with fields of the right types where the session file has others. */
		repair: (messages: readonly HostMessage[]) => (damaged > 0 ? messages.map(repairMessage) : messages),
		/**
		 * The messages with large outputs as this request sends them. A change of the limits takes effect with
		 * the next request, and is kept in the session.
		 */
		async admitOutputs(ctx: ExtensionContext, messages: readonly HostMessage[]) {
			const { admit, asSent, count, countAhead } = await managed();
			await countAhead(messages);
			const rule = settings.isEnabled
				? admit(messages, settings.loaded.settings.outputLimits, () =>
						readFree(sources, ctx, messages, count),
					)
				: admit(messages, noOutputLimits);
			if (rule) entries.write(ctx, OUTPUTS_ENTRY, { version: 1, ...rule });
			return asSent(messages);
		},
		/** The messages that the model would see of this branch now, without a new pass. */
		async visibleMessages(ctx: ExtensionContext): Promise<readonly HostMessage[]> {
			const messages = readBranch(ctx).context;
			if (messages.length === 0) return [];
			await (await managed()).countAhead(messages);
			return (await managed()).preview(messages, settings.isEnabled);
		},
		/** The episode graph as of now, for completion; empty before a session has begun. */
		graph: async (): Promise<Pick<Graph, "episodes">> =>
			opened ? (await lookAhead(opened)).input.graph : { episodes: [] },
		/** The strip level of an episode as of the last request; 0 while nothing of it was taken. */
		levelOf: (episode: EpisodeId) => session?.state().view.episodes.get(episode)?.level ?? 0,
		/**
		 * Measures the next request, after a run has ended, or a command, a resume or a pause has changed it. Returns the time in ms after
		 * which the provider's cache is cold.
		 */
		async remeasure(ctx: ExtensionContext): Promise<number> {
			if (readBranch(ctx).context.length === 0) return Infinity;
			const known = lastRequest.size;
			const outlook = await lookAhead(ctx);
			const last = lastPass();
			const undone = last && outlook.session.planUndo(outlook.messages, outlook.input);
			irrevocable = undone?.bringsBack ? undefined : last;
			// A request that was made meanwhile has its own size.
			if (lastRequest.size !== known) return Infinity;
			lastRequest.size = { ...sizeOf(outlook.input), next: reportNext(outlook)[0] };
			if (outlook.plan.isCold) lastRequest.cachedShare = undefined;
			return outlook.coldAfter;
		},
		/** Starts over on another branch; returns the number of its messages with fields of a wrong type. */
		async restore(ctx: ExtensionContext): Promise<number> {
			opened = ctx;
			session = undefined;
			damaged = readBranch(ctx).damaged;
			if (isManaged()) await managed();
			return damaged;
		},
	};
}
