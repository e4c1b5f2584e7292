/** The lists of files that pi puts at the end of a summary (`computeFileLists` of pi-coding-agent 0.73). */
import type { HostMessage } from "#pi";

export interface FileLists {
	/** Take the files that the calls of these messages name. */
	add(messages: readonly HostMessage[]): void;
	/** Empty as long as no file was named. */
	text(): string;
}

export function createFileLists(): FileLists {
	const read = new Set<string>();
	const modified = new Set<string>();
	return {
		add(messages) {
			for (const message of messages) {
				if (message.role !== "assistant") continue;
				for (const block of message.content) {
					if (block.type !== "toolCall" || typeof block.arguments.path !== "string") continue;
					if (block.name === "read") read.add(block.arguments.path);
					if (block.name === "edit" || block.name === "write") modified.add(block.arguments.path);
				}
			}
		},
		text() {
			const only = [...read].filter((path) => !modified.has(path)).sort();
			return list("read-files", only) + list("modified-files", [...modified].sort());
		},
	};
}

function list(tag: string, paths: readonly string[]): string {
	return paths.length === 0 ? "" : `\n\n<${tag}>\n${paths.join("\n")}\n</${tag}>`;
}
