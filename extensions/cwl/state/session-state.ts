/** The session as it stands: its graph and log, the next request's size, and what a pass would be planned from. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { emptyProtocol, type ProtocolState } from "#core/annotation";
import type { EpisodeId, Graph } from "#core/graph";
import { type BurnRate, measureBurnRate, type Zone } from "#core/health";
import { type FixedTokens, totalTokens } from "#core/ledger";
import type { Pass } from "#core/log";
import type { PlanInput, Policy } from "#core/planning";
import {
	type Alert,
	type BoundedSession,
	createBoundedSession,
	type DroppedThinking,
	defaultToolTable,
	type Fidelity,
	type HostMessage,
	loadTokenCounter,
	noDroppedThinking,
	noOutputLimits,
	type OutputRule,
	type RequestSettings,
	type RestoredLog,
	type SessionCosts,
	soundMessage,
	type TurnMetrics,
	type ZoneAction,
} from "#pi";

import { createAheadCounter } from "./ahead-counter.ts";
import { readBranch } from "./branch.ts";
import type { Decisions } from "./decisions.ts";
import type { EntryLog } from "./entry-log.ts";
import { createFixedParts } from "./fixed-cost.ts";
import { readRequestSettings } from "./request-settings.ts";
import type { SettingsState } from "./settings-state.ts";
import type { TokenScale } from "./token-scale.ts";

/** The input of a plan. */
export interface PlanningContext {
	readonly policy: Policy;
	readonly input: PlanInput;
	/** The messages that pi would send. */
	readonly messages: readonly HostMessage[];
}

/** A request in tokens that we count: of all of it, and of its prompt and tools. */
export interface RequestSize {
	readonly tokens: number;
	readonly fixed: FixedTokens;
	readonly burn: BurnRate;
}

/** See `SessionState.zone`. */
export interface ZoneState {
	readonly zone: Zone;
	readonly from: Zone | undefined;
	readonly isSpike: boolean;
	/** Back to `nothing` once done. */
	readonly action: ZoneAction;
}

const calm: ZoneState = { zone: "green", from: undefined, isSpike: false, action: "nothing" };
const nothingLost: Fidelity = { facts: 0, visible: 0, named: 0 };

export interface SessionState {
	/** The delimiter protocol as of the last request, advanced by the calls made since. */
	protocol: ProtocolState;
	/** The request that was sent last, or the next one where a command has changed it; undefined before the first. */
	size: RequestSize | undefined;
	/** The share of the last request that the provider read from its cache; undefined until it reports. */
	cachedShare: number | undefined;
	/** True if the last request asked for thinking with a token budget. */
	isManualThinking: boolean;
	/** Thinking of this session that the provider found invalid. */
	droppedThinking: DroppedThinking;
	/** Problems of the context at the last check, the gravest first; each was told once. */
	alerts: readonly Alert[];
	/** The metrics of the turns of this process, oldest first. */
	turns: readonly TurnMetrics[];
	/** As of the last pass that was looked at; nothing is lost before one. */
	fidelity: Fidelity;
	/** As `/cwl health` last found them in a replay; null before that. */
	costs: SessionCosts | null;
	/** The zone of the last request, the one that it came from where it crossed, and what the settings ask for then. */
	zone: ZoneState;
	readonly decisions: Decisions;
	/** The last pass that holds, made in this process or before it. */
	lastPass(): Pass | undefined;
	/** The session under management; the first call loads the tokenizer. */
	managed(): Promise<BoundedSession>;
	/** The number of messages with fields of a wrong type when the session was opened. */
	readonly damaged: number;
	/** The messages, with fields of the right types where the session file has others. */
	sound(messages: readonly HostMessage[]): readonly HostMessage[];
	/** Counts the long texts among new messages, a text at a time, so that reading them holds up nothing else. */
	countAhead(messages: readonly HostMessage[]): Promise<void>;
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
	/** System prompt and tools as one text. */
	fixedText(ctx: ExtensionContext): string;
	/** Returns true once a request of this session's branch has been sent under management, in this process or before. */
	isManaged(): boolean;
	/** Measure the next request anew, after a command or a resume has changed it. */
	remeasure(ctx: ExtensionContext): Promise<void>;
	/** Begin anew with the log of another branch. */
	restore(ctx: ExtensionContext, log: RestoredLog): Promise<void>;
}

/** The values that a session begins with, also after a move to another branch. */
function atStart() {
	return {
		protocol: emptyProtocol,
		size: undefined,
		cachedShare: undefined,
		alerts: [],
		turns: [],
		fidelity: nothingLost,
		costs: null,
		zone: calm,
	};
}

export function createSessionState(
	pi: ExtensionAPI,
	settings: SettingsState,
	scale: TokenScale,
	decisions: Decisions,
	entries: EntryLog,
): SessionState {
	const fixed = createFixedParts(pi);
	let managed: BoundedSession | undefined;
	/** As the session was opened with. */
	let outputs: readonly OutputRule[] = [];
	let opened: ExtensionContext | undefined;
	let damaged = 0;
	const ahead = createAheadCounter();

	const state: SessionState = {
		...atStart(),
		isManualThinking: false,
		droppedThinking: noDroppedThinking,
		decisions,
		lastPass: () => managed?.state().log.at(-1),
		async managed() {
			if (managed) return managed;
			const count = await loadTokenCounter();
			// Another call may have come here first.
			managed ??= createBoundedSession(count, defaultToolTable, { outputs, cwd: opened?.cwd });
			managed.describe(decisions.descriptions);
			return managed;
		},
		get damaged() {
			return damaged;
		},
		sound: (messages) => (damaged > 0 ? messages.map(soundMessage) : messages),
		countAhead: ahead.count,
		async admitOutputs(ctx, messages) {
			const session = await state.managed();
			const limits = settings.isEnabled ? settings.loaded.settings.outputLimits : noOutputLimits;
			const rule = session.admit(messages, limits);
			if (rule) entries.open(ctx).outputs(rule);
			return session.asSent(messages);
		},
		async visibleMessages(ctx) {
			const messages = readBranch(ctx).context;
			await state.countAhead(messages);
			return messages.length === 0 ? [] : (await state.managed()).preview(messages);
		},
		async planning(ctx) {
			const messages = readBranch(ctx).context;
			await state.countAhead(messages);
			const request = await state.requestSettings(ctx, messages);
			const session = await state.managed();
			return { policy: request.policy, input: session.planInput(messages, request), messages };
		},
		graph: async () => (opened ? (await state.planning(opened)).input.graph : { episodes: [] }),
		levelOf: (episode) => managed?.state().view.episodes.get(episode)?.level ?? 0,
		fixedText: fixed.text,
		isManaged() {
			const { prefix, log = [] } = managed?.state() ?? {};
			return prefix !== undefined || log.length > 0;
		},
		requestSettings: (ctx, messages = []) =>
			readRequestSettings(
				{ settings, scale, decisions, fixed, isManualThinking: state.isManualThinking },
				ctx,
				messages,
			),
		async remeasure(ctx) {
			if (readBranch(ctx).context.length === 0) return;
			const { graph, view, fixed } = (await state.planning(ctx)).input;
			state.size = { tokens: totalTokens(graph, view, fixed), fixed, burn: measureBurnRate(graph) };
		},
		async restore(ctx, log) {
			opened = ctx;
			managed = undefined;
			ahead.reset();
			damaged = readBranch(ctx).damaged;
			outputs = log.outputs;
			Object.assign(state, atStart());
			decisions.restore(log);
			if (log.prefix || log.passes.length > 0) (await state.managed()).restore(log.passes, log.prefix);
		},
	};
	return state;
}
