/** One managed session as the extension keeps it, with its file in memory and its own clock. */

import { type ComponentBudgets, type FadingMode, fadingModes } from "#core/add-ons";
import type { EpisodeId } from "#core/graph";
import { changesContext, type Pass } from "#core/log";
import { layersOf } from "#pi/add-ons";
import type { HostMessage } from "#pi/codec";
import { noOutputLimits, type OutputLimits } from "#pi/outputs";
import {
	createManagedSession,
	type ManagedSession,
	OUTPUTS_ENTRY,
	PASS_ENTRY,
	PREFIX_ENTRY,
	type PrefixChange,
	policyByName,
	policyNames,
	type RequestSettings,
	type RestoredLog,
	readLogEntries,
	STEERING_ENTRY,
	type Steering,
} from "#pi/session";
import { readValue } from "#pi/settings";
import { createWriter, type Writer } from "../../packages/core/test-support/session-writer.ts";
import { createDresser } from "../../packages/pi/test-support/drawn-messages.ts";
import { countCharacters } from "../../packages/pi/test-support/host-messages.ts";
import { type Wire, wires } from "../strict/wires.ts";
import { choose, pickFrom, type Script } from "./script.ts";
import { createSessionFile, type EntryBody, type SessionFile } from "./session-file.ts";

export interface World {
	file: SessionFile;
	session: ManagedSession;
	log: Pick<RestoredLog, "pinned" | "spared" | "descriptions">;
	steering: Required<Pick<Steering, "enabled" | "policy">> & { readonly budget: number };
	/** As the settings files of this machine have it: no entry of the session holds it. */
	outputs: { readonly limits: OutputLimits; readonly free: number | undefined };
	componentBudgets: ComponentBudgets;
	fading: FadingMode;
	wire: Wire;
	isCold: boolean;
	/** Ms. */
	clock: number;
	/** Writes the steps of the session. */
	readonly writer: Writer;
	readonly dress: ReturnType<typeof createDresser>;
	/** Tokens of the last request as its provider counted them, for the answer to it; 0 if no answer is due. */
	reported: number;
	/** A pass that the user made since the last request: earlier bytes may change. */
	userPass: Pass | undefined;
	/** True after an undo or a compaction since the last request: evicted content may be back. */
	isRewound: boolean;
	/** Settings that apply until an entry of the session file changes them. */
	readonly defaults: World["steering"];
	readonly bindsThinking: boolean;
}

export type Sent = NonNullable<ReturnType<typeof send>>;

const manyLimits = { "*": 150, bash: 0, mystery: 1 };
const outputLimits: readonly OutputLimits[] = [noOutputLimits, { "*": 60 }, { "*": 400 }, manyLimits];

/** Two of three machines do not know what fits. */
const freeTokens = [undefined, undefined, 300];

/** Shares that most sessions exceed sooner or later, and those of a profile. */
const componentBudgets: readonly ComponentBudgets[] = [
	{},
	readValue("componentBudgets", "coding"),
	readValue("componentBudgets", "toolResults=0.1,history=0.2,memory=0.02,output=0.3"),
	readValue("componentBudgets", "history=0.05/0.4,output=0.1/0.5"),
];

/** Settings of the machine and the model by the operation that draws them. */
export const settingAt = {
	outputs: (pick: number) => ({
		outputs: { limits: pickFrom(outputLimits, pick) ?? noOutputLimits, free: pickFrom(freeTokens, pick) },
	}),
	components: (pick: number) => ({ componentBudgets: pickFrom(componentBudgets, pick) ?? {} }),
	fading: (pick: number) => ({ fading: pickFrom(fadingModes, pick) ?? "off" }),
	model: (pick: number) => ({ wire: choose(wires, pick) }),
} as const;

export const policyAt = (pick: number): string => pickFrom(policyNames(), pick) ?? "cwl";

export function createWorld(script: Script): World {
	const file = createSessionFile();
	file.append({ type: "message", message: { role: "user", content: "go", timestamp: 0 } }, 0);
	const defaults = { enabled: true, policy: policyAt(script.policy), budget: script.budget };
	return {
		...restoreFrom(file, defaults),
		file,
		...settingAt.outputs(script.outputs),
		...settingAt.components(script.components),
		...settingAt.fading(script.fading),
		...settingAt.model(script.model),
		isCold: false,
		clock: 1_000,
		writer: createWriter(),
		dress: createDresser(),
		reported: 0,
		userPass: undefined,
		isRewound: false,
		defaults,
		bindsThinking: script.bindsThinking,
	};
}

/** Restores the state that the extension reads when pi opens a session or moves in its tree. */
export function restoreFrom(
	file: SessionFile,
	defaults: World["steering"],
): Pick<World, "session" | "log" | "steering"> {
	const log = readLogEntries(file.branch());
	if (log.unreadable > 0) throw new Error(`${log.unreadable} entries cannot be read back`);
	const session = createManagedSession(countCharacters, log);
	const { enabled = defaults.enabled, policy = defaults.policy, budget } = log.steering;
	const steering = { enabled, policy, budget: budget === undefined ? defaults.budget : Number(budget) };
	return { session, log, steering };
}

export function reopen(world: World, file: SessionFile) {
	Object.assign(world, { file, ...restoreFrom(file, world.defaults) });
}

/** Appends an entry; an answer reports the usage of the request that it answers. */
export function write(world: World, entry: EntryBody) {
	if (entry.type !== "message" || entry.message.role !== "assistant")
		return world.file.append(entry, world.clock);
	const { message } = entry;
	const usage = { ...noUsage, input: world.reported };
	world.file.append({ ...entry, message: { ...message, usage } }, world.clock);
	// The next answer without a request in between is none that pi asked for.
	world.reported = 0;
}

const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: noCost };

/** Appends an entry of the extension. */
export function record(world: World, customType: string, data: unknown) {
	write(world, { type: "custom", customType, data });
}

export function steer(world: World, change: Partial<World["steering"]>) {
	const { budget, ...rest } = change;
	record(world, STEERING_ENTRY, { ...rest, ...(budget !== undefined && { budget: String(budget) }) });
	world.steering = { ...world.steering, ...change };
}

export function settingsOf(world: World): RequestSettings {
	const { log, steering, isCold, wire, bindsThinking } = world;
	return {
		policy: policyByName(steering.policy),
		pinned: log.pinned,
		spared: log.spared,
		layers: layersOf(world),
		budget: steering.budget,
		fixed: { system: 30, tools: 20 },
		keepsLoopThinking: !bindsThinking,
		// Another provider gets another prompt.
		...(bindsThinking && { head: wire.name }),
		isCold,
	};
}

/** Sends the next request. Returns undefined while CWL is off or the session is empty. */
export function send(world: World) {
	const history = world.file.context();
	if (!world.steering.enabled || history.length === 0) return undefined;
	const settings = settingsOf(world);
	const bounded = admitOutputs(world, history, world.outputs);
	const { messages, pass, tokens, change } = world.session.request(history, settings);
	if (change) recordPrefix(world, change);
	if (pass && changesContext(pass)) {
		record(world, PASS_ENTRY, pass);
		world.log = { ...world.log, spared: new Set<EpisodeId>() };
	}
	return {
		/** With large outputs as they were sent first. */
		history: bounded,
		messages,
		settings,
		pass,
		/** The size of the request. */
		tokens,
	};
}

/** Sends a request while CWL is off; undefined in a session that it never managed, of which it changes nothing. */
export function sendWhole(world: World): readonly HostMessage[] | undefined {
	const { prefix, log } = world.session.state();
	if (!prefix && log.length === 0) return undefined;
	const history = world.file.context();
	admitOutputs(world, history, { limits: noOutputLimits, free: undefined });
	const { messages, change } = world.session.request(history, settingsOf(world), false);
	if (change) recordPrefix(world, change);
	return messages;
}

/** Puts limits into force with a request; returns its history with outputs as they are sent. */
function admitOutputs(world: World, history: readonly HostMessage[], { limits, free }: World["outputs"]) {
	const rule = world.session.admit(history, limits, () => free);
	if (rule) record(world, OUTPUTS_ENTRY, { version: 1, ...rule });
	return world.session.asSent(history);
}

function recordPrefix(world: World, { prefix, pass }: PrefixChange) {
	record(world, PREFIX_ENTRY, { version: 1, ...prefix, ...(pass && { change: pass }) });
}
