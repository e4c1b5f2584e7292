/**
 * Models the paper's own implementation (Kiz8-Team/pi-cwl at cd2ea3f), from a description of its behavior and not from
 * its code. Before every request it takes episodes anew from the whole history, the oldest first whatever their kind,
 * an expl once all acts that name it are gone, each level by level, until the budget is met. It differs from Algorithm
 * 1: acts are not first; a whole episode leaves without its description, and all that is not of role `user` with it;
 * the call that begins an episode stays behind without its result; unmarked content never leaves. Nothing is
 * remembered, so evicted content comes back when a later act names it. Here inferred episodes count as marked ones
 * where there are no marks: otherwise it would evict nothing of such a session.
 */
import { DELIMITER } from "#core/annotation";
import type { Episode, EpisodeId, Graph } from "#core/graph";
import { traitsOf } from "#core/transcript";
import { createManagedSession, defaultToolTable, type HostMessage } from "#pi";
import { type MessageSizes, sum } from "../recording/recording.ts";
import { defineKind } from "./knobs.ts";
import type { PolicySettings, ReplayPolicy } from "./replay-policy.ts";

export const reference = defineKind(
	"reference",
	{},
	(name): ReplayPolicy => ({
		name,
		exempt: ["user-turns", "pairs", "levels"],
		open: openSession,
	}),
);

function openSession({ count, sizes, budget, fixed }: PolicySettings) {
	const session = createManagedSession(count, defaultToolTable);
	const stripper = createStripper(sizes);
	const overhead = fixed.system + fixed.tools;
	let [total, seen, last] = [overhead, 0, ""];
	return (history: readonly HostMessage[]) => {
		total += sum(history.slice(seen).flatMap((message) => sizes(message)));
		seen = history.length;
		const { graph } = session.sync(history);
		const evicted = total > budget ? evict(graph, history, total - budget, stripper) : [];
		const signature = evicted.map(({ chunk, level }) => `${chunk.id}:${level}`).join();
		const messages = stripper.project(history, evicted);
		if (signature === last) return { messages, pass: undefined };
		last = signature;
		const after = overhead + sum(messages.flatMap((message) => sizes(message)));
		return { messages, pass: { before: total, after } };
	};
}

/** Chunks to strip, each with the number of levels to take. */
function evict(graph: Graph, history: readonly HostMessage[], excess: number, stripper: Stripper) {
	const evicted: { readonly chunk: Chunk; readonly level: number }[] = [];
	let left = excess;
	for (const chunk of inOrder(readChunks(graph))) {
		if (left <= 0) break;
		const freed = stripper.freed(history, chunk);
		const enough = freed.findIndex((tokens) => tokens >= left);
		const level = enough < 0 ? freed.length : enough + 1;
		evicted.push({ chunk, level });
		left -= freed[level - 1] ?? 0;
	}
	return evicted;
}

type Stripper = ReturnType<typeof createStripper>;

/** Always the oldest of those that are closed and that no act which is left names. */
function* inOrder(chunks: readonly Chunk[]): Generator<Chunk> {
	const users = new Map<string, number>();
	for (const { dependencies } of chunks) {
		for (const id of dependencies) users.set(id, (users.get(id) ?? 0) + 1);
	}
	const waiting = [...chunks];
	while (waiting.length > 0) {
		const next = waiting.findIndex(({ id, isClosed }) => isClosed && (users.get(id) ?? 0) === 0);
		const [chunk] = next < 0 ? [] : waiting.splice(next, 1);
		if (!chunk) return;
		for (const id of chunk.dependencies) users.set(id, (users.get(id) ?? 0) - 1);
		yield chunk;
	}
}

/** An episode as the paper's own implementation sees it: a run of messages. */
interface Chunk {
	readonly id: EpisodeId;
	readonly kind: Episode["kind"];
	readonly dependencies: readonly EpisodeId[];
	readonly isClosed: boolean;
	/** Indexes of the first message and of the last. */
	readonly from: number;
	readonly to: number;
}

/**
 * From the result of the call that begins an episode to that of the call that ends it; oldest first, none of them
 * reaching into the next.
 */
function readChunks(graph: Graph): readonly Chunk[] {
	const chunks = graph.episodes
		.filter(({ origin }) => origin === "declared" || !graph.annotated)
		.map((episode) => ({
			id: episode.id,
			kind: episode.kind,
			dependencies: episode.dependencies,
			isClosed: episode.state === "closed",
			...(episode.origin === "declared" ? markedRange(graph, episode) : itemRange(episode)),
		}))
		.toSorted((a, b) => a.from - b.from);
	// A result that came late belongs to an episode that ended long before.
	return chunks.map((chunk, i) => ({
		...chunk,
		to: Math.min(chunk.to, (chunks[i + 1]?.from ?? Infinity) - 1),
	}));
}

function markedRange(graph: Graph, { items }: Episode): Pick<Chunk, "from" | "to"> {
	const marks = items.flatMap((item) =>
		item.type === "call" && item.tool === DELIMITER ? (graph.resultOf.get(item.id) ?? []) : [],
	);
	return { from: marks[0]?.message ?? 0, to: marks.at(-1)?.message ?? 0 };
}

function itemRange({ items }: Episode): Pick<Chunk, "from" | "to"> {
	const messages = items.map(({ message }) => message);
	return { from: Math.min(...messages), to: Math.max(...messages) };
}

type Reply = HostMessage & { readonly role: "assistant" };
type Block = Reply["content"][number];
type Level = "thinking" | "search" | "shell" | "read" | "all";

const levels: Readonly<Record<Chunk["kind"], readonly Level[]>> = {
	act: ["search", "shell", "read", "all"],
	expl: ["thinking", "search", "shell", "read", "all"],
};

interface Stripped {
	readonly chunk: Chunk;
	/** Number of levels that are taken. */
	readonly level: number;
}

function createStripper(sizes: MessageSizes) {
	const frees = new Map<string, readonly number[]>();
	const parts = new Map<string, HostMessage>();
	const tokensOf = (messages: readonly HostMessage[]) => sum(messages.flatMap((message) => sizes(message)));

	/** The remaining messages of a chunk. The same objects come back as long as nothing changes. */
	function strip(history: readonly HostMessage[], { chunk, level }: Stripped): readonly HostMessage[] {
		const taken = levels[chunk.kind].slice(0, level);
		const messages = history.slice(chunk.from, chunk.to + 1);
		if (taken.includes("all")) return messages.filter(({ role }) => role === "user");
		const gone = new Set<string>();
		return messages.flatMap((message, i): readonly HostMessage[] => {
			if (message.role === "toolResult") return gone.has(message.toolCallId) ? [] : [message];
			if (message.role !== "assistant") return [message];
			const content = message.content.filter((block) => !isTaken(block, taken));
			for (const block of message.content) {
				if (block.type === "toolCall" && !content.includes(block)) gone.add(block.id);
			}
			if (content.length === message.content.length) return [message];
			return content.length === 0 ? [] : [part(message, content, `${chunk.from + i}:${level}`)];
		});
	}

	function part(message: Reply, content: Block[], key: string): HostMessage {
		const made = parts.get(key) ?? { ...message, content };
		parts.set(key, made);
		return made;
	}

	return {
		/** Tokens that leave with each level and those before it. A closed chunk is measured once. */
		freed(history: readonly HostMessage[], chunk: Chunk): readonly number[] {
			const known = frees.get(chunk.id);
			if (known) return known;
			const whole = tokensOf(history.slice(chunk.from, chunk.to + 1));
			const freed = levels[chunk.kind].map(
				(_, i) => whole - tokensOf(strip(history, { chunk, level: i + 1 })),
			);
			frees.set(chunk.id, freed);
			return freed;
		},
		project(history: readonly HostMessage[], stripped: readonly Stripped[]): readonly HostMessage[] {
			const messages: HostMessage[] = [];
			let next = 0;
			for (const each of stripped.toSorted((a, b) => a.chunk.from - b.chunk.from)) {
				messages.push(...history.slice(next, each.chunk.from), ...strip(history, each));
				next = Math.max(next, each.chunk.to + 1);
			}
			messages.push(...history.slice(next));
			return messages;
		},
	};
}

function isTaken(block: Block, taken: readonly Level[]): boolean {
	if (block.type === "thinking") return taken.includes("thinking");
	if (block.type !== "toolCall") return false;
	const level = levelOf(block.name);
	return level !== undefined && taken.includes(level);
}

/** Undefined for what leaves only with everything: edits, and tools that nobody knows. */
function levelOf(tool: string): Level | undefined {
	const traits = traitsOf(defaultToolTable, tool);
	if (traits?.output === "bulk") return "search";
	if (traits?.effect === "command") return "shell";
	return traits?.output === "intermediate" && traits.effect === "reads" ? "read" : undefined;
}
