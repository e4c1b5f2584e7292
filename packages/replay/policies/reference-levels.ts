/**
 * The strip levels of the paper's own implementation. An act loses searches, shell, reads, then everything; an expl
 * loses its reasoning before that. It goes by the names of pi's tools; here by what our tool table says of a tool, so
 * that recordings of other agents are treated alike.
 */
import { traitsOf } from "#core/transcript";
import { defaultToolTable, type HostMessage } from "#pi";
import { type MessageSizes, sum } from "../recording/recording.ts";
import type { Chunk } from "./reference-chunks.ts";

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

export function createStripper(sizes: MessageSizes) {
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
