/** The session under management, on the branch that pi has open. */

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import * as host from "@mariozechner/pi-coding-agent";
import type { EpisodeId, Graph } from "#core/graph";
import { measureBurnRate } from "#core/health";
import { totalTokens } from "#core/ledger";
import type { Pass } from "#core/log";
import type { PlanInput, Policy } from "#core/planning";
import {
	countAhead,
	countedTexts,
	createManagedSession,
	defaultToolTable,
	type HostMessage,
	loadTokenCounter,
	type ManagedSession,
	noOutputLimits,
	type OutputRule,
	type RequestSettings,
	type RestoredLog,
	soundMessage,
} from "#pi";
import type { EntryLog } from "./entry-log.ts";
import { type RequestSources, readRequestSettings } from "./requests.ts";

export interface Branch {
	/** The messages that pi would send, its own compactions applied. */
	readonly context: readonly HostMessage[];
	/** Everything, where a compaction hides some of it. */
	readonly whole: readonly HostMessage[] | undefined;
	/** The number of messages of the context with fields of a wrong type. */
	readonly damaged: number;
}

export function readBranch({ sessionManager }: ExtensionContext): Branch {
	const entries = sessionManager.getBranch();
	const { messages } = host.buildSessionContext(entries, sessionManager.getLeafId());
	const context = messages.map(soundMessage);
	const damaged = context.filter((message, index) => message !== messages[index]).length;
	const left = entries.filter(({ type }) => type !== "compaction");
	if (left.length === entries.length) return { context, whole: undefined, damaged };
	// pi follows parents: with new links the branch is as if it had never been compacted.
	const linked = left.map((entry, i) => ({ ...entry, parentId: left[i - 1]?.id ?? null }));
	return { context, whole: host.buildSessionContext(linked).messages.map(soundMessage), damaged };
}

export interface AheadCounter {
	/** Counts the messages that are new since the last call; ends when they and all earlier ones are counted. */
	count(messages: readonly HostMessage[]): Promise<void>;
	/** Starts over, for another branch. */
	reset(): void;
}

function createAheadCounter(): AheadCounter {
	/** The number of messages that were given so far, and the end of their count. */
	let counted = 0;
	let counting: Promise<void> = Promise.resolve();
	return {
		count(messages) {
			const added = messages.slice(messages.length < counted ? 0 : counted);
			counted = messages.length;
			const before = counting;
			const now = (async () => {
				await before;
				for (const message of added) await countAhead(countedTexts(message));
			})();
			// A message that cannot be read fails the request that it came with, and none after it.
			counting = now.catch(() => undefined);
			return now;
		},
		reset() {
			counted = 0;
		},
	};
}

/** The input of a plan. */
export interface PlanningContext {
	readonly policy: Policy;
	readonly input: PlanInput;
	/** The messages that pi would send. */
	readonly messages: readonly HostMessage[];
}

export interface SessionState {
	/** The last pass that holds, made in this process or before it. */
	lastPass(): Pass | undefined;
	/** The session under management; the first call loads the tokenizer. */
	managed(): Promise<ManagedSession>;
	/** The messages, with fields of the right types where the session file has others. */
	sound(messages: readonly HostMessage[]): readonly HostMessage[];
	/**
	 * The messages with large outputs as this request sends them. A change of their limits takes effect after it, and is
	 * kept in the session.
	 */
	admitOutputs(ctx: ExtensionContext, messages: readonly HostMessage[]): Promise<readonly HostMessage[]>;
	/** The messages that the model would see of this branch now, without a new pass. */
	visibleMessages(ctx: ExtensionContext): Promise<readonly HostMessage[]>;
	/** The input that a pass would be planned from now; makes none. */
	planning(ctx: ExtensionContext): Promise<PlanningContext>;
	/** The episode graph as of now, for completion; empty before a session has begun. */
	graph(): Promise<Pick<Graph, "episodes">>;
	/** The strip level of an episode as of the last request; 0 while nothing of it was taken. */
	levelOf(episode: EpisodeId): number;
	/** The settings of the next request, its budget in tokens that we count. */
	requestSettings(
		ctx: ExtensionContext,
		messages?: readonly HostMessage[],
	): Promise<RequestSettings & { readonly isCold: boolean }>;
	/** Returns true once a request of this session's branch has been sent under management, in this process or before. */
	isManaged(): boolean;
	/** Measures the next request, after a command or a resume has changed it. */
	remeasure(ctx: ExtensionContext): Promise<void>;
	/** Starts over with the log of another branch; returns the number of its messages with fields of a wrong type. */
	restore(ctx: ExtensionContext, log: RestoredLog): Promise<number>;
}

export function createSessionState(sources: RequestSources & { readonly entries: EntryLog }): SessionState {
	const { settings, decisions, entries, request } = sources;
	let managed: ManagedSession | undefined;
	/** The rules that the session was opened with. */
	let outputs: readonly OutputRule[] = [];
	let opened: ExtensionContext | undefined;
	let damaged = 0;
	const ahead = createAheadCounter();

	const state: SessionState = {
		lastPass: () => managed?.state().log.at(-1),
		async managed() {
			if (managed) return managed;
			const count = await loadTokenCounter();
			// Another call may have come here first.
			managed ??= createManagedSession(count, defaultToolTable, { outputs, cwd: opened?.cwd });
			managed.describe(decisions.descriptions);
			return managed;
		},
		sound: (messages) => (damaged > 0 ? messages.map(soundMessage) : messages),
		async admitOutputs(ctx, messages) {
			await ahead.count(messages);
			const session = await state.managed();
			const limits = settings.isEnabled ? settings.loaded.settings.outputLimits : noOutputLimits;
			const rule = session.admit(messages, limits);
			if (rule) entries.open(ctx).outputs(rule);
			return session.asSent(messages);
		},
		async visibleMessages(ctx) {
			const messages = readBranch(ctx).context;
			await ahead.count(messages);
			return messages.length === 0 ? [] : (await state.managed()).preview(messages);
		},
		async planning(ctx) {
			const messages = readBranch(ctx).context;
			await ahead.count(messages);
			const next = await state.requestSettings(ctx, messages);
			const session = await state.managed();
			return { policy: next.policy, input: session.planInput(messages, next), messages };
		},
		graph: async () => (opened ? (await state.planning(opened)).input.graph : { episodes: [] }),
		levelOf: (episode) => managed?.state().view.episodes.get(episode)?.level ?? 0,
		isManaged() {
			const { prefix, log = [] } = managed?.state() ?? {};
			return prefix !== undefined || log.length > 0;
		},
		requestSettings: (ctx, messages = []) => readRequestSettings(sources, ctx, messages),
		async remeasure(ctx) {
			if (readBranch(ctx).context.length === 0) return;
			const { graph, view, fixed } = (await state.planning(ctx)).input;
			request.size = { tokens: totalTokens(graph, view, fixed), fixed, burn: measureBurnRate(graph) };
		},
		async restore(ctx, log) {
			opened = ctx;
			managed = undefined;
			ahead.reset();
			damaged = readBranch(ctx).damaged;
			outputs = log.outputs;
			if (log.prefix || log.passes.length > 0) (await state.managed()).restore(log.passes, log.prefix);
			return damaged;
		},
	};
	return state;
}
