/** A read whose answer stands in sight already need not be answered twice. */
import { locate } from "../codec/file-paths.ts";
import type { HostMessage } from "../codec/host-message.ts";

/** What stands in place of a text that is still in sight. Whoever asks again after it gets the text. */
export const READ_BEFORE =
	"Unchanged: the same lines, read before, still stand above. Read them once more to have them repeated.";

export interface ReadAnswer {
	readonly cwd: string;
	/** The arguments of the call. */
	readonly call: Readonly<Record<string, unknown>>;
	/** What it would be answered. */
	readonly text: string;
}

/**
 * Whether the newest answer among `visible` to a read of the same lines of the same file is this very text. Stripped,
 * evicted, shortened or answered by another version of the host, it is not.
 */
export function isInSight(visible: readonly HostMessage[], { cwd, call, text }: ReadAnswer): boolean {
	const name = nameRead(cwd, call);
	const same = new Set<string>();
	for (const message of visible) {
		if (message.role !== "assistant") continue;
		for (const block of message.content) {
			if (block.type !== "toolCall" || block.name !== "read") continue;
			if (nameRead(cwd, block.arguments) === name) same.add(block.id);
		}
	}
	const newest = visible.findLast((message) => message.role === "toolResult" && same.has(message.toolCallId));
	if (newest?.role !== "toolResult" || newest.isError) return false;
	const [first, ...rest] = newest.content;
	return first?.type === "text" && first.text === text && rest.every(({ type }) => type === "text");
}

function nameRead(cwd: string, { path, offset, limit }: ReadAnswer["call"]): string | undefined {
	return typeof path === "string" ? JSON.stringify([locate(cwd, path), offset, limit]) : undefined;
}
