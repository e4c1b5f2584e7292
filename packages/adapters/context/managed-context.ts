/** The sessions of a host under management: takes the messages of each request and answers what to send instead. */
import { changesContext, createSession, type Pass, type Session, type SessionOptions } from "#core";
import { FRAMING, type Reading, type TextReader } from "./reading.ts";
import { buildTranscript, type Kept, selectEntries } from "./transcript.ts";

/** A pass as it is stored: plain JSON, without texts of the session. */
export interface StoredPass {
	/** The name of the session up to the last message of the request that the pass was made for. */
	readonly at: string;
	readonly pass: Pass;
}

/** Keeps the passes of sessions, by the name that the host gives a session. */
export interface PassStore {
	/** The passes of a session, oldest first. Called once, before its first request. */
	load(session: string): readonly StoredPass[] | Promise<readonly StoredPass[]>;
	/** Called before the first request that the pass changes; a pass whose `save` fails takes no effect. */
	save(session: string, pass: StoredPass): void | Promise<void>;
}

export interface ContextOptions
	extends TextReader,
		Pick<
			SessionOptions,
			"budget" | "tools" | "fixed" | "policy" | "prices" | "lowWater" | "keepsLoopThinking"
		> {
	/** Without one, passes are kept in memory, and a restart evicts anew. */
	readonly store?: PassStore;
	/** Called with each pass that changes a request. */
	readonly onPass?: (session: string, pass: Pass) => void;
	/** Takes one line about a fault, such as a pass that could not be saved. */
	readonly warn?: (line: string) => void;
}

/** How a host's messages are read and edited. */
export interface Host<M extends object> {
	read(message: M, reader: TextReader): Reading;
	/** The message with the parts that are kept; the one given does not change. */
	edit(message: M, kept: Kept): M;
	/** A message of the user that holds lines about evicted content, to stand behind another one. */
	note(text: string, before: M): M;
}

export interface ManagedContext<M> {
	/** The messages to send. Below the budget these are the messages given. Never rejects. */
	project(session: string, messages: readonly M[]): Promise<readonly M[]>;
}

interface State {
	readonly session: Session;
	readonly stored: StoredPass[];
	/** Names of the messages at which the passes of the session's log were made. */
	applied: readonly string[];
}

export function createManagedContext<M extends object>(
	host: Host<M>,
	options: ContextOptions,
): ManagedContext<M> {
	const states = new Map<string, Promise<State>>();
	const readings = new WeakMap<M, Reading>();

	function read(message: M): Reading {
		const known = readings.get(message) ?? host.read(message, options);
		readings.set(message, known);
		return known;
	}

	async function projectOnto(state: State, name: string, messages: readonly M[]): Promise<readonly M[]> {
		const transcript = buildTranscript(messages.map(read));
		state.session.sync(transcript.messages);
		applyLog(state, transcript.links);
		await makePass(options, state, name, transcript.links.at(-1) ?? "");
		const { entries, notes } = selectEntries(transcript, state.session.request());
		return messages.flatMap((message, index) => {
			const kept = entries[index] ?? "all";
			const note = notes.get(index);
			const own = kept === "nothing" ? [] : [kept === "all" ? message : host.edit(message, kept)];
			return note === undefined ? own : [...own, host.note(note, message)];
		});
	}

	return {
		async project(name, messages) {
			const opened = states.get(name) ?? open(options, name);
			const projected = opened.then((state) => projectOnto(state, name, messages));
			// Requests of one session wait for each other: a pass is saved before it takes effect.
			states.set(
				name,
				projected.then(
					() => opened,
					() => opened,
				),
			);
			try {
				return await projected;
			} catch (error) {
				options.warn?.(`nothing is evicted from this request, through a fault of cwl: ${String(error)}`);
				return messages;
			}
		},
	};
}

async function open(options: ContextOptions, name: string): Promise<State> {
	const { countTokens, budget, tools, fixed, policy, prices, lowWater, keepsLoopThinking } = options;
	const session = createSession({
		budget,
		countTokens: (text) => countTokens(text) + FRAMING,
		...(tools && { tools }),
		...(fixed && { fixed }),
		...(policy && { policy }),
		...(prices && { prices }),
		...(lowWater !== undefined && { lowWater }),
		...(keepsLoopThinking !== undefined && { keepsLoopThinking }),
	});
	return { session, stored: [...(await loadPasses(options, name))], applied: [] };
}

/** Passes that cannot be loaded are unknown: their content is sent again. */
async function loadPasses({ store, warn }: ContextOptions, name: string): Promise<readonly StoredPass[]> {
	try {
		return (await store?.load(name)) ?? [];
	} catch (error) {
		warn?.(
			`the passes of an earlier run cannot be loaded, and their content is sent again: ${String(error)}`,
		);
		return [];
	}
}

/** Brings the log up to the passes that were made along this branch of the session. */
function applyLog(state: State, links: readonly string[]) {
	const names = new Set(links);
	const own = state.stored.filter(({ at }) => names.has(at));
	const applied = own.map(({ at }) => at);
	if (applied.join() === state.applied.join()) return;
	state.session.restore(own.map(({ pass }) => pass));
	state.applied = applied;
}

/** Makes the pass that is due at the last message, once: the same request again finds it in the log. */
async function makePass(options: ContextOptions, state: State, name: string, at: string): Promise<void> {
	if (state.applied.includes(at)) return;
	const pass = planSafely(state.session, options);
	if (!pass || !changesContext(pass)) return;
	try {
		await options.store?.save(name, { at, pass });
	} catch (error) {
		options.warn?.(`nothing is evicted until passes can be saved: ${String(error)}`);
		return;
	}
	state.stored.push({ at, pass });
	state.session.commit(pass);
	state.applied = [...state.applied, at];
	options.onPass?.(name, pass);
}

/** On a fault of the engine the passes that were made still hold: the request continues the one before. */
function planSafely(session: Session, { warn }: ContextOptions): Pass | undefined {
	try {
		return session.plan();
	} catch (error) {
		warn?.(`nothing more is evicted from this session, through a fault of cwl: ${String(error)}`);
		return undefined;
	}
}
