/** A read whose answer stands in sight already need not be answered twice. */
import { locate } from "../codec/file-paths.ts";
import type { HostMessage } from "../codec/host-message.ts";
import { resultPartsOf, toolCallsOf } from "../codec/message-parts.ts";

/** Replaces a text that is still in sight. The next read of the same lines gets the text. */
export const READ_BEFORE =
	"Unchanged: the same lines, read before, still stand above. Read them once more to have them repeated.";

export interface ReadAnswer {
	readonly cwd: string;
	/** The arguments of the call. */
	readonly call: Readonly<Record<string, unknown>>;
	/** The answer that the read would get. */
	readonly text: string;
}

/**
 * Returns true if the newest answer among `visible` to a read of the same lines is this very text. Stripped,
 * evicted, shortened or answered by another version of the host, it is not.
 */
export function isInSight(visible: readonly HostMessage[], { cwd, call, text }: ReadAnswer): boolean {
	const name = nameRead(cwd, call);
	const same = new Set<string>();
	for (const message of visible) {
		for (const { id, name: tool, arguments: args } of toolCallsOf(message)) {
			if (tool === "read" && nameRead(cwd, args) === name) same.add(id);
		}
	}
	const results = visible.flatMap((message) => resultPartsOf(message) ?? []);
	const newest = results.findLast(({ callId }) => same.has(callId));
	return newest !== undefined && !newest.isError && newest.output === text && !newest.hasImages;
}

function nameRead(cwd: string, { path, offset, limit }: ReadAnswer["call"]): string | undefined {
	return typeof path === "string" ? JSON.stringify([locate(cwd, path), offset, limit]) : undefined;
}
