/** The older sessions that this one continues: their files are read, never written. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import * as host from "@mariozechner/pi-coding-agent";
import { CwlError, type HostMessage, originOf, readOldSession } from "#pi";

export interface Earlier {
	/** Oldest session first. */
	readonly messages: readonly HostMessage[];
	/** Why no more could be read, if so. */
	readonly problem: string | undefined;
}

/** Follow the sessions back to the first, or to one that cannot be read. */
export async function readEarlier({ sessionManager }: ExtensionContext): Promise<Earlier> {
	const seen = new Set<string>();
	let messages: readonly HostMessage[] = [];
	let file = originOf(sessionManager.getBranch());
	while (file !== undefined && !seen.has(file)) {
		seen.add(file);
		try {
			const old = await readOldSession(file, host);
			messages = [...old.messages, ...messages];
			file = originOf(old.branch);
		} catch (error) {
			if (!(error instanceof CwlError)) throw error;
			return { messages, problem: error.message };
		}
	}
	return { messages, problem: undefined };
}
