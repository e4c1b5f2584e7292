/** What the hooks of one running pi share. The session file is the truth; everything here can be rebuilt from it. */

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	type BurnRate,
	countedBudget,
	defaultToolTable,
	type EpisodeId,
	emptyProtocol,
	type FixedTokens,
	type Graph,
	type Pass,
	type PlanInput,
	type Policy,
	type ProtocolState,
	reportedBudget,
	reportedTokens,
	sparing,
	uncalibrated,
} from "#core";
import {
	type Alert,
	budgetTokens,
	type CountTokens,
	cachePrices,
	createDiskCheck,
	createManagedSession,
	drawMark,
	type FrameMark,
	flags,
	type Goal,
	goalOf,
	type HostMessage,
	isCacheCold,
	type LoadedSettings,
	lastAnswer,
	loadSettings,
	loadTokenCounter,
	MARK_ENTRY,
	type ManagedSession,
	type MarkEntry,
	modelName,
	policyByName,
	type RequestSettings,
	readLogEntries,
	readMark,
	readRetention,
	STEERING_ENTRY,
	type Steering,
	TOOL_FRAMING,
	type TrafficMeter,
	toolText,
} from "#pi";
import { readBranch } from "./branch.ts";
import { createDecisions, type Decisions } from "./decisions.ts";
import { type InjectedContext, readInjectedContext } from "./injected-context.ts";
import { tellProblem } from "./notice.ts";

/** What a pass is planned from. */
export interface PlanningContext {
	readonly policy: Policy;
	readonly input: PlanInput;
	/** What pi would send. */
	readonly messages: readonly HostMessage[];
}

export interface Runtime {
	/** Settings in force; read anew when a session starts and when a command changes one. */
	loaded: LoadedSettings;
	/** The delimiter protocol as of the last request, advanced by the calls made since. */
	protocol: ProtocolState;
	/** The last request that was projected, and what of it was prompt and tools; in tokens. */
	last: { readonly tokens: number; readonly fixed: FixedTokens; readonly burn: BurnRate } | undefined;
	/** Of the last request, what the provider read from its cache; undefined until it reports. */
	cachedShare: number | undefined;
	/** Whether a provider's usage stands behind what we say that requests come to. */
	isReported(ctx: ExtensionContext): boolean;
	/** The last pass that took anything, in this process or before it. */
	lastPass: Pass | undefined;
	/** What is wrong with the context as of the last look, the gravest first; each was told once. */
	alerts: readonly Alert[];
	/** What tells frames of ours from text that looks like one; drawn and written down when first asked for. */
	mark(ctx: ExtensionContext): FrameMark;
	/** What the model can see of what we told it; whoever tells more writes it there. */
	told(ctx: ExtensionContext): Promise<InjectedContext>;
	/** What the model can see has changed: to this, or it has to be found out. */
	invalidateInjected(told?: InjectedContext): void;
	/** The goal of the session, undefined without one. */
	goal(): Goal | undefined;
	/** What requests came to by the provider's count; undefined until the first request of this process. */
	meter: TrafficMeter | undefined;
	/** The session under management; the first call loads the tokenizer. */
	session(): Promise<ManagedSession>;
	/** What the model would see of this branch now, without a new pass. */
	visibleMessages(ctx: ExtensionContext): Promise<readonly HostMessage[]>;
	/** What a pass would be planned from now; makes none. */
	look(ctx: ExtensionContext): Promise<PlanningContext>;
	/** The episode graph as of now, for completion; empty before a session has begun. */
	graph(): Promise<Pick<Graph, "episodes">>;
	/** The strip level of an episode as of the last request; 0 while nothing of it was taken. */
	levelOf(episode: EpisodeId): number;
	/** What a person decided: passes by hand, pins. */
	readonly decisions: Decisions;
	/** What holds for the next request, its budget in the tokens that we count. */
	requestSettings(
		ctx: ExtensionContext,
		messages?: readonly HostMessage[],
	): Promise<RequestSettings & { readonly isCold: boolean }>;
	/** Never send the model in use more than this in this session, in tokens that we count. */
	tighten(ctx: ExtensionContext, ceiling: number): void;
	/** The name of the model in use, "" without one. */
	model(ctx: ExtensionContext): string;
	/** Tokens of a whole request that we count, in those of the model in use. */
	reported(ctx: ExtensionContext, counted: number): number;
	/** The budget that a plan in tokens of ours was made for. */
	reportedBudget(ctx: ExtensionContext, counted: number): number;
	/** The same for a part of one, framing left out. */
	part(ctx: ExtensionContext, counted: number): number;
	/** Rebuild from the session's branch. */
	restore(ctx: ExtensionContext): Promise<void>;
	/** Change settings for this session, on its branch. */
	steer(ctx: ExtensionContext, change: Steering): void;
}

export function createRuntime(pi: ExtensionAPI): Runtime {
	const measure = createFixedCost(pi);
	let steering: Steering = {};
	let managed: ManagedSession | undefined;
	let opened: ExtensionContext | undefined;
	let told: Promise<InjectedContext> | undefined;
	let mark: FrameMark | undefined;
	/** What providers have refused more than, by model. */
	const ceilings = new Map<string, number>();

	function reload(ctx: ExtensionContext) {
		const given = Object.entries(flags).map(([key, { name }]) => [key, pi.getFlag(name)]);
		return loadSettings({
			...{ cwd: ctx.cwd, environment: process.env, steering },
			flags: Object.fromEntries(given),
		});
	}

	const calibrationOf = (ctx: ExtensionContext) =>
		runtime.meter?.calibration(runtime.model(ctx)) ?? uncalibrated;

	const decisions = createDecisions(pi, () => {
		// What was told may have left with its episode, or come back: the model is told again what it no longer sees.
		runtime.invalidateInjected();
		runtime.lastPass = managed?.state().log.at(-1);
	});

	const runtime: Runtime = {
		loaded: loadSettings({ cwd: process.cwd(), environment: process.env, flags: {} }),
		protocol: emptyProtocol,
		last: undefined,
		cachedShare: undefined,
		isReported: (ctx) => calibrationOf(ctx).samples > 0,
		lastPass: undefined,
		alerts: [],
		decisions,
		told(ctx) {
			told ??= runtime
				.visibleMessages(ctx)
				.then((messages) => readInjectedContext(messages, runtime.mark(ctx)));
			return told;
		},
		mark(ctx) {
			mark ??= readMark(ctx.sessionManager.getBranch()) ?? newMark(pi);
			return mark;
		},
		invalidateInjected(now) {
			told = now && Promise.resolve(now);
		},
		goal: () => goalOf(runtime.loaded.settings.goal, steering.doneGoal),
		meter: undefined,
		async session() {
			if (managed) return managed;
			const count = await loadTokenCounter();
			// Another call may have come here first.
			managed ??= createManagedSession(count, defaultToolTable);
			managed.describe(decisions.descriptions);
			return managed;
		},
		async visibleMessages(ctx) {
			const messages = readBranch(ctx).context;
			return messages.length === 0 ? [] : (await runtime.session()).peek(messages);
		},
		async look(ctx) {
			const messages = readBranch(ctx).context;
			const settings = await runtime.requestSettings(ctx, messages);
			const session = await runtime.session();
			return { policy: settings.policy, input: session.look(messages, settings), messages };
		},
		graph: async () => (opened ? (await runtime.look(opened)).input.graph : { episodes: [] }),
		levelOf: (episode) => managed?.state().view.episodes.get(episode)?.level ?? 0,
		async requestSettings(ctx, messages = []) {
			const { settings } = runtime.loaded;
			const count = await loadTokenCounter();
			const budget = budgetTokens(settings.budget, ctx.model?.contextWindow);
			return {
				policy: sparing(policyByName(settings.policy), decisions.spared),
				pinned: decisions.pinned,
				lowWater: settings.lowWater,
				...pricesOf(ctx),
				isCold: isCold(ctx, messages),
				canRestore: createDiskCheck(ctx.cwd, messages),
				budget: Math.min(
					countedBudget(calibrationOf(ctx), budget),
					ceilings.get(runtime.model(ctx)) ?? Infinity,
				),
				fixed: measure(ctx, count),
			};
		},
		tighten: (ctx, ceiling) => ceilings.set(runtime.model(ctx), ceiling),
		model: ({ model }) => (model ? modelName(model.provider, model.id) : ""),
		reported: (ctx, counted) => reportedTokens(calibrationOf(ctx), counted),
		reportedBudget: (ctx, counted) => reportedBudget(calibrationOf(ctx), counted),
		part: (ctx, counted) => Math.round(calibrationOf(ctx).factor * counted),
		async restore(ctx) {
			opened = ctx;
			mark = undefined;
			const entries = readLogEntries(ctx.sessionManager.getBranch());
			steering = entries.steering;
			runtime.loaded = reload(ctx);
			runtime.last = undefined;
			runtime.cachedShare = undefined;
			runtime.lastPass = entries.passes.at(-1);
			decisions.restore(entries);
			runtime.invalidateInjected();
			runtime.protocol = emptyProtocol;
			runtime.meter = undefined;
			managed = undefined;
			if (entries.passes.length > 0) (await runtime.session()).restore(entries.passes);
			if (entries.unreadable > 0) {
				const what = entries.unreadable === 1 ? "1 entry" : `${entries.unreadable} entries`;
				const problem = `${what} of the eviction log cannot be read; what was evicted there is in the context again.`;
				tellProblem(ctx, "warning", problem);
			}
			for (const problem of runtime.loaded.problems) tellProblem(ctx, "warning", problem);
		},
		steer(ctx, change) {
			steering = { ...steering, ...change };
			pi.appendEntry(STEERING_ENTRY, change);
			runtime.loaded = reload(ctx);
		},
	};
	return runtime;
}

function newMark(pi: ExtensionAPI): FrameMark {
	const entry: MarkEntry = { mark: drawMark() };
	pi.appendEntry(MARK_ENTRY, entry);
	return entry.mark;
}

/** Whether the provider has let the cache go that the last answer left. */
function isCold({ model }: ExtensionContext, messages: readonly HostMessage[]): boolean {
	const last = lastAnswer(messages);
	if (!last || !model) return false;
	const next = { provider: model.provider, model: model.id };
	return isCacheCold(last, next, Date.now(), readRetention(process.env));
}

/** What the model in use charges for reading and writing its cache, where pi knows it. */
function pricesOf({ model }: ExtensionContext): Pick<RequestSettings, "prices"> {
	const prices = model && cachePrices(model.cost);
	return prices ? { prices } : {};
}

/** Count system prompt and tools, again only when they change. */
function createFixedCost(pi: ExtensionAPI): (ctx: ExtensionContext, count: CountTokens) => FixedTokens {
	let system = { text: "", tokens: 0 };
	let tools = { text: "", tokens: 0 };
	return (ctx, count) => {
		const systemText = ctx.getSystemPrompt();
		if (systemText !== system.text) system = { text: systemText, tokens: count(systemText) };
		const active = new Set(pi.getActiveTools());
		const definitions = pi.getAllTools().filter((tool) => active.has(tool.name));
		const text = toolText(definitions);
		if (text !== tools.text) tools = { text, tokens: count(text) + definitions.length * TOOL_FRAMING };
		return { system: system.tokens, tools: tools.tokens };
	};
}
