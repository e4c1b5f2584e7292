/** Session files for the tests of readers, and what was read in few words. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contentText, type HostMessage } from "#pi/codec";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import type { RecordedSession } from "../readers/recorded-session.ts";
import { readSession } from "../readers/registry.ts";

/** A folder for the tests of one file, removed after them. */
export function useSessionFolder() {
	const folder = scratchFolder();
	const read = async (text: string) => {
		const path = join(folder, "session.any");
		await writeFile(path, text);
		return readSession(path);
	};
	return {
		/** Lines of a JSON Lines file, objects or raw text, read by whatever reader knows them. */
		readLines: (...lines: readonly unknown[]) =>
			read(lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("")),
		/** One JSON document, written over several lines as most programs do. */
		readDocument: (document: unknown) => read(JSON.stringify(document, null, 2)),
	};
}

/** One line a message: who spoke, and what of it a request would hold. */
export function outline({ messages }: Pick<RecordedSession, "messages">): readonly string[] {
	return messages.map((message) => `${message.role}: ${describe(message)}`);
}

function describe(message: HostMessage): string {
	if (message.role === "assistant") {
		return message.content
			.map((block) => {
				if (block.type === "text") return block.text;
				if (block.type === "thinking") return `(${block.thinking})`;
				return `${block.name}#${block.id} ${JSON.stringify(block.arguments)}`;
			})
			.join(" | ");
	}
	if (message.role === "toolResult") {
		const failed = message.isError ? " failed" : "";
		return `${message.toolName}#${message.toolCallId}${failed} ${contentText(message.content)}`;
	}
	return "content" in message ? contentText(message.content) : "";
}

/** Places without the file's path, with the reasons. */
export function damages({ damage }: RecordedSession): readonly string[] {
	return damage.map(({ place, reason }) => `${/[:#]\d+$/.exec(place)?.[0]} ${reason}`);
}
