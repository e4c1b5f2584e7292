/** One managed session as the extension keeps it, with its file in memory and its own clock. */
import { changesContext } from "#core/log";
import { layersOf } from "#pi/add-ons";
import { noOutputLimits } from "#pi/outputs";
import {
	createManagedSession,
	emptyLog,
	type GrowingLog,
	type ManagedSession,
	OUTPUTS_ENTRY,
	PASS_ENTRY,
	PREFIX_ENTRY,
	policyByName,
	type RequestSettings,
	readLogEntries,
} from "#pi/session";
import { createWriter, type Writer } from "../../packages/core/test-support/session-writer.ts";
import { createDresser } from "../../packages/pi/test-support/drawn-messages.ts";
import { countCharacters } from "../../packages/pi/test-support/host-messages.ts";
import { type Wire, wires } from "../strict/wires.ts";
import type { Script, Settings } from "./any-script.ts";
import { createSessionFile, type EntryBody, type SessionFile } from "./session-file.ts";

export interface World {
	/** Settings that the session begins with, until an entry of its file changes them. */
	readonly script: Script;
	file: SessionFile;
	session: ManagedSession;
	/** The state that the entries of the branch add up to. */
	log: GrowingLog;
	settings: Settings;
	/** Writes what model and user say. */
	readonly writer: Writer;
	readonly dress: ReturnType<typeof createDresser>;
	isCold: boolean;
	/** Ms. */
	clock: number;
	/** Tokens of the last request as its provider counted them, for the answer to it; 0 if no answer is due. */
	reported: number;
	/** True after a pass that the user made since the last request: earlier bytes may change. */
	isCut: boolean;
	/** True after an undo or a compaction since the last request: evicted content may be back. */
	isRewound: boolean;
}

export type Sent = NonNullable<ReturnType<typeof send>>;

export function createWorld(script: Script): World {
	const file = createSessionFile();
	file.append({ type: "message", message: { role: "user", content: "go", timestamp: 0 } }, 0);
	return {
		script,
		...open(file),
		settings: script.settings,
		writer: createWriter(),
		dress: createDresser(),
		isCold: false,
		clock: 1_000,
		reported: 0,
		isCut: false,
		isRewound: false,
	};
}

/** The state that the extension reads when pi opens a session or moves in its tree. */
export function open(file: SessionFile): Pick<World, "file" | "session" | "log"> {
	const log = emptyLog();
	readLogEntries(file.branch(), log);
	if (log.unreadable > 0) throw new Error(`${log.unreadable} entries cannot be read back`);
	return { file, session: createManagedSession(countCharacters, log), log };
}

const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const noUsage = { ...nothing, totalTokens: 0, cost: { ...nothing, total: 0 } };

/** Appends an entry; an answer reports the usage of the request that it answers. */
export function write(world: World, entry: EntryBody) {
	const { file, clock, reported } = world;
	if (entry.type !== "message" || entry.message.role !== "assistant") return file.append(entry, clock);
	const usage = { ...noUsage, input: reported };
	file.append({ ...entry, message: { ...entry.message, usage } }, clock);
	// The next answer without a request in between is none that pi asked for.
	world.reported = 0;
}

/** Appends an entry of the extension, which reads it as the file gives it back. */
export function record(world: World, customType: string, data: object) {
	write(world, { type: "custom", customType, data });
	readLogEntries(world.file.branch().slice(-1), world.log);
}

export const wireOf = ({ settings }: World): Wire =>
	wires.find(({ name }) => name === settings.wire) ?? wires[0];

/** True while CWL is switched on. */
export const isOn = ({ log }: World): boolean => log.steering.enabled ?? true;

export function settingsOf(world: World): RequestSettings {
	const { log, script, isCold, settings } = world;
	const { policy = script.policy, budget = script.budget } = log.steering;
	return {
		policy: policyByName(policy),
		pinned: log.pinned,
		spared: log.spared,
		layers: layersOf(settings),
		budget: Number(budget),
		fixed: { system: 30, tools: 20 },
		keepsLoopThinking: !script.bindsThinking,
		// Another provider gets another prompt.
		...(script.bindsThinking && { head: settings.wire }),
		isCold,
	};
}

/** Sends the next request, which is the whole history while CWL is off. Undefined where CWL has never managed it. */
export function send(world: World) {
	const { session, file } = world;
	const { outputs, free } = world.settings;
	const context = file.context();
	const isManaged = isOn(world);
	const { prefix, log } = session.state();
	if (!(isManaged || prefix || log.length > 0)) return undefined;
	const rule = isManaged
		? session.admit(context, outputs, () => free ?? undefined)
		: session.admit(context, noOutputLimits);
	if (rule) record(world, OUTPUTS_ENTRY, { version: 1, ...rule });
	const settings = settingsOf(world);
	const { messages, pass, tokens, change } = session.request(context, settings, isManaged);
	if (change) record(world, PREFIX_ENTRY, { version: 1, ...change.prefix, change: change.pass });
	const isPass = pass !== undefined && changesContext(pass);
	if (isPass) record(world, PASS_ENTRY, pass);
	/** The history has large outputs as they were sent first; `tokens` is the size of the request. */
	return { isManaged, history: session.asSent(context), messages, settings, pass, isPass, tokens };
}
