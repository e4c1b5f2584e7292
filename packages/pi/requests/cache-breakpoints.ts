/**
 * Where Anthropic's `cache_control` goes in a request's messages. pi marks only the last block: what it writes is found
 * again if the next request still holds that block and its own mark is at most 20 blocks behind. This fails after a
 * message with many parallel calls, after a pass, and when another extension ends each request with a block of its own.
 * So the end of an earlier request is marked too, and a mark on a block that does not stay moves to the one before.
 * The part before the work in progress is marked in each request: work that is evicted when it is finished leaves that
 * much in the context, and an entry that no request names expires after minutes.
 */
import { fieldsOf, isRecord, listOf, type UnknownRecord } from "#basics";
import { DELIMITER } from "#core/annotation";

/** State that is kept from request to request: ends of user messages, each by its place and its last block. */
export interface BreakpointMemory {
	/** The last ends that were marked, the newest last; those that a pass took come back when it is taken back. */
	readonly ends: ReadonlySet<string>;
	/** The last two of the request before, the later one last; none where it ended with an output, which only a pass takes. */
	readonly tail: readonly string[];
	readonly work: Work;
}

/** The work in progress. */
interface Work {
	/** The calls that began an episode, by id, in the request before. */
	readonly starts: readonly string[];
	/** The kind of the last episode that began, also where a pass has taken it since. */
	readonly kind: unknown;
	/** The calls from the expl on that the work builds on, also those that have left since; empty before the first expl. */
	readonly begun: readonly string[];
}

interface UserMessage {
	readonly index: number;
	readonly content: readonly UnknownRecord[];
	/** Characters of the request up to its end, where another number means another prefix, and the identity of the last block. */
	readonly end: string;
}

const noWork: Work = { starts: [], kind: "act", begun: [] };

export const noBreakpoints: BreakpointMemory = { ends: new Set(), tail: [], work: noWork };

/** The state of a session that is resumed, from all its messages as pi holds them; its requests of before are not known. */
export function resumeBreakpoints(messages: readonly unknown[]): BreakpointMemory {
	return { ...noBreakpoints, work: advanceWork(noWork, readStarts(messages)) };
}

/** Anthropic's limit for one request (prompt-caching guide). */
const MAX_BREAKPOINTS = 4;
/** Ends that are remembered: older requests have expired. */
const MAX_ENDS = 400;

/** Places the marks of one request body of the Messages API. The same body comes back where nothing is to change. */
export function placeBreakpoints(
	payload: unknown,
	memory: BreakpointMemory,
): { readonly payload: unknown; readonly memory: BreakpointMemory } {
	if (!isRecord(payload) || !Array.isArray(payload.messages)) return { payload, memory };
	const messages: readonly unknown[] = payload.messages;
	const users = readUserMessages(messages);
	const last = users.at(-1);
	const mark = last?.content.at(-1)?.cache_control;
	// pi may end a request with a system message that says the effort.
	const end = messages.findLastIndex((message) => fieldsOf(message).role !== "system");
	if (!last || mark === undefined || last.index !== end) return { payload, memory };

	// The last block of the request before is gone, and the one before it is still at its place.
	const [stayed, left] = memory.tail.map((end) => users.some((user) => user.end === end));
	const anchor = (stayed === true && left === false ? users.at(-2) : undefined) ?? last;
	const answered = messages.findLastIndex((message) => fieldsOf(message).role === "assistant");
	// After a resume nothing is known: each end of a message may be that of a request before.
	const known = memory.ends.size > 0 ? memory.ends : new Set(users.map(({ end }) => end));
	const spare = users.findLast(({ index, end }) => index < answered && known.has(end));
	const starts = readStarts(messages);
	const work = advanceWork(memory.work, starts);
	const began = starts.find(({ id }) => work.begun.includes(id))?.index ?? -1;
	const before = users.findLast(({ index }) => index < began);
	// The mark of the tools says no more than that of the system prompt behind them.
	const given = blocksIn(payload.tools);
	const tools = before && countMarks(blocksIn(payload.system)) > 0 ? given.map(bareOf) : given;
	const all = [...blocksIn(payload.system), ...tools, ...messages.flatMap(contentOf)];
	const room = MAX_BREAKPOINTS - countMarks(all);
	const more = new Set([spare, before].flatMap((user) => (user && user !== anchor ? [user] : [])));
	const marked = [...[...more].slice(0, Math.max(0, room)), anchor];

	const changed = new Map<number, UnknownRecord>();
	if (anchor !== last) changed.set(last.index, withMark(last, undefined));
	if (anchor !== last || marked.length > 1) {
		for (const user of marked) changed.set(user.index, withMark(user, mark));
	}
	const ends = new Set(marked.map(({ end }) => end));
	const earlier = [...known].filter((end) => !ends.has(end));
	const sent = messages.map((message, index) => changed.get(index) ?? message);
	const hasTools = Array.isArray(payload.tools);
	return {
		payload: changed.size === 0 ? payload : { ...payload, ...(hasTools && { tools }), messages: sent },
		memory: {
			ends: new Set([...earlier, ...ends].slice(-MAX_ENDS)),
			tail: isOutput(last) ? [] : users.slice(-2).map(({ end }) => end),
			work,
		},
	};
}

function readUserMessages(messages: readonly unknown[]): readonly UserMessage[] {
	let size = 0;
	return messages.flatMap((message, index) => {
		const content = contentOf(message);
		size += JSON.stringify(content.map(bareOf)).length;
		const last = content.at(-1);
		const isUsers = fieldsOf(message).role === "user";
		return isUsers && last ? [{ index, content, end: `${size} ${keyOf(last)}` }] : [];
	});
}

function isOutput({ content }: UserMessage): boolean {
	return content.at(-1)?.type === "tool_result";
}

function contentOf(message: unknown): readonly UnknownRecord[] {
	const { content } = fieldsOf(message);
	return typeof content === "string" ? [{ type: "text", text: content }] : blocksIn(content);
}

function blocksIn(list: unknown): readonly UnknownRecord[] {
	return listOf(list).filter(isRecord);
}

function keyOf(block: UnknownRecord): string {
	if (typeof block.tool_use_id === "string") return `result ${block.tool_use_id}`;
	return typeof block.text === "string" ? `text ${block.text}` : String(block.type);
}

interface Start {
	readonly index: number;
	readonly id: string;
	readonly kind: unknown;
}

/** The calls that began an episode, in their order, in messages of a body or as pi holds them. */
function readStarts(messages: readonly unknown[]): readonly Start[] {
	return messages.flatMap((message, index) =>
		contentOf(message).flatMap(({ name, input, arguments: given = input, id }) => {
			const { action, type } = fieldsOf(given);
			return name === DELIMITER && action === "start" ? [{ index, id: String(id), kind: type }] : [];
		}),
	);
}

/** The work once these episodes have begun. Those in front of one that is known are older: an undo brought them back. */
function advanceWork({ starts: known, ...work }: Work, starts: readonly Start[]): Work {
	let { kind, begun } = work;
	for (const start of starts.slice(1 + starts.findLastIndex(({ id }) => known.includes(id)))) {
		const isNext = start.kind === "expl" && kind === "act";
		begun = isNext ? [start.id] : begun.length > 0 ? [...begun, start.id] : [];
		kind = start.kind;
	}
	return { starts: starts.map(({ id }) => id), kind, begun };
}

function countMarks(blocks: readonly UnknownRecord[]): number {
	return blocks.filter(({ cache_control }) => cache_control !== undefined).length;
}

function bareOf({ cache_control: _mark, ...bare }: UnknownRecord): UnknownRecord {
	return bare;
}

function withMark({ content }: UserMessage, mark: unknown): UnknownRecord {
	const bare = bareOf(content.at(-1) ?? {});
	const marked = mark === undefined ? bare : { ...bare, cache_control: mark };
	return { role: "user", content: [...content.slice(0, -1), marked] };
}
