/** One managed session as the extension keeps it, with its file in memory and its own clock. */
import { type ComponentBudgets, type FadingMode, fadingModes } from "#core/add-ons";
import { changesContext, type Pass } from "#core/log";
import { layersOf } from "#pi/add-ons";
import { noOutputLimits, type OutputLimits } from "#pi/outputs";
import {
	createManagedSession,
	emptyLog,
	type GrowingLog,
	type ManagedSession,
	OUTPUTS_ENTRY,
	PASS_ENTRY,
	PREFIX_ENTRY,
	policyByName,
	policyNames,
	type RequestSettings,
	readLogEntries,
} from "#pi/session";
import { readValue } from "#pi/settings";
import { createWriter, type Writer } from "../../packages/core/test-support/session-writer.ts";
import { createDresser } from "../../packages/pi/test-support/drawn-messages.ts";
import { countCharacters } from "../../packages/pi/test-support/host-messages.ts";
import { type Wire, wires } from "../strict/wires.ts";
import { type Choices, pickFrom, type Script } from "./script.ts";
import { createSessionFile, type EntryBody, type SessionFile } from "./session-file.ts";

export interface World {
	/** Settings that the session begins with, until an entry of its file changes them. */
	readonly script: Script;
	file: SessionFile;
	session: ManagedSession;
	/** The state that the entries of the branch add up to. */
	log: GrowingLog;
	/** As the settings files of this machine have it: no entry of the session holds it. */
	outputs: OutputLimits;
	/** Tokens that outputs may take; undefined on a machine that does not know what fits. */
	free: number | undefined;
	componentBudgets: ComponentBudgets;
	fading: FadingMode;
	wire: Wire;
	/** Writes what model and user say. */
	readonly writer: Writer;
	readonly dress: ReturnType<typeof createDresser>;
	isCold: boolean;
	/** Ms. */
	clock: number;
	/** Tokens of the last request as its provider counted them, for the answer to it; 0 if no answer is due. */
	reported: number;
	/** A pass that the user made since the last request: earlier bytes may change. */
	userPass: Pass | undefined;
	/** True after an undo or a compaction since the last request: evicted content may be back. */
	isRewound: boolean;
}

export type Sent = NonNullable<ReturnType<typeof send>>;

const manyLimits = { "*": 150, bash: 0, mystery: 1 };
const outputLimits: Choices<OutputLimits> = [noOutputLimits, { "*": 60 }, { "*": 400 }, manyLimits];

/** Shares that most sessions exceed sooner or later, and those of a profile. */
const componentBudgets: Choices<ComponentBudgets> = [
	{},
	readValue("componentBudgets", "coding"),
	readValue("componentBudgets", "toolResults=0.1,history=0.2,memory=0.02,output=0.3"),
	readValue("componentBudgets", "history=0.05/0.4,output=0.1/0.5"),
];

/** Settings of the machine and the model by the operation that draws them. */
export const settingAt = {
	outputs: (pick: number) => ({
		outputs: pickFrom(outputLimits, pick),
		free: pickFrom([undefined, undefined, 300], pick),
	}),
	components: (pick: number) => ({ componentBudgets: pickFrom(componentBudgets, pick) }),
	fading: (pick: number) => ({ fading: pickFrom(fadingModes, pick) }),
	model: (pick: number) => ({ wire: pickFrom(wires, pick) }),
} as const;

export const policyAt = (pick: number): string => pickFrom(policyNames(), pick) ?? "cwl";

export function createWorld(script: Script): World {
	const file = createSessionFile();
	file.append({ type: "message", message: { role: "user", content: "go", timestamp: 0 } }, 0);
	return {
		script,
		...open(file),
		...settingAt.outputs(script.outputs),
		...settingAt.components(script.components),
		...settingAt.fading(script.fading),
		...settingAt.model(script.model),
		writer: createWriter(),
		dress: createDresser(),
		isCold: false,
		clock: 1_000,
		reported: 0,
		userPass: undefined,
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

const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: noCost };

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

/** True while CWL is switched on. */
export const isOn = ({ log }: World): boolean => log.steering.enabled ?? true;

export function settingsOf(world: World): RequestSettings {
	const { log, script, isCold, wire } = world;
	const { policy = policyAt(script.policy), budget = script.budget } = log.steering;
	return {
		policy: policyByName(policy),
		pinned: log.pinned,
		spared: log.spared,
		layers: layersOf(world),
		budget: Number(budget),
		fixed: { system: 30, tools: 20 },
		keepsLoopThinking: !script.bindsThinking,
		// Another provider gets another prompt.
		...(script.bindsThinking && { head: wire.name }),
		isCold,
	};
}

/** Sends the next request, which is the whole history while CWL is off. Undefined where CWL has never managed it, and in an empty session. */
export function send(world: World) {
	const { session, file, outputs, free } = world;
	const context = file.context();
	const isManaged = isOn(world);
	const { prefix, log } = session.state();
	if (context.length === 0 || !(isManaged || prefix || log.length > 0)) return undefined;
	const rule = isManaged
		? session.admit(context, outputs, () => free)
		: session.admit(context, noOutputLimits);
	if (rule) record(world, OUTPUTS_ENTRY, { version: 1, ...rule });
	const settings = settingsOf(world);
	const { messages, pass, tokens, change } = session.request(context, settings, isManaged);
	if (change)
		record(world, PREFIX_ENTRY, {
			version: 1,
			...change.prefix,
			...(change.pass && { change: change.pass }),
		});
	if (pass && changesContext(pass)) record(world, PASS_ENTRY, pass);
	/** The history has large outputs as they were sent first; `tokens` is the size of the request. */
	return { isManaged, history: session.asSent(context), messages, settings, pass, tokens };
}
