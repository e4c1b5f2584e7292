/**
 * Models the paper's own implementation (Kiz8-Team/pi-cwl at cd2ea3f), from a description of its behavior and not from
 * its code. Before every request it takes episodes anew from the whole history, the oldest first whatever their kind,
 * an expl once all acts that name it are gone, each level by level, until the budget is met. It differs from Algorithm
 * 1: acts are not first; a whole episode leaves without its description, and all that is not of role `user` with it;
 * the call that begins an episode stays behind without its result; unmarked content never leaves. Nothing is
 * remembered, so evicted content comes back when a later act names it. Here inferred episodes count as marked ones
 * where there are no marks: otherwise it would evict nothing of such a session.
 */
import type { Graph } from "#core/graph";
import { createManagedSession, type HostMessage } from "#pi";
import { sum } from "../recording/recording.ts";
import { defineKind } from "./knobs.ts";
import { type Chunk, readChunks } from "./reference-chunks.ts";
import { createStripper } from "./reference-levels.ts";
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

function openSession({ count, sizes, budget, fixed, kinds }: PolicySettings) {
	const session = createManagedSession(count, kinds);
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
