/** Finds out if the disk still holds what a tool call showed (paper 4.4: recoverability). */
import { commandText, isReadOnlyCommand, type ToolCall } from "#core/transcript";
import { type HostMessage, resultPartsOf } from "../codec/host-message.ts";
import { locate } from "../codec/named-files.ts";
import { readTextFile } from "./text-file.ts";

/**
 * True: the same call would show the same again. False: nothing can give it back. Undefined: nobody knows.
 * Synchronous, since a plan is; it reads each file once, and only while a pass is made.
 */
export type CanRestore = (call: ToolCall) => boolean | undefined;

/** Larger files are not read to find out; in bytes. */
const MAX_FILE = 4_000_000;

/** Nobody knows what these would show; what other tools showed, such as web pages, is gone. */
const unknown = new Set(["glob", "grep", "find", "ls", "edit", "write", "delimiter", "recall"]);

/** Look at the disk as it is now, for calls whose results are among these messages. */
export function createDiskCheck(cwd: string, messages: readonly HostMessage[]): CanRestore {
	const files = new Map<string, string | undefined>();
	let shown: ReadonlyMap<string, string> | undefined;
	return ({ tool, callId, arguments: args }) => {
		if (tool === "read") {
			shown ??= readResults(messages);
			if (typeof args.path !== "string") return undefined;
			const path = locate(cwd, args.path);
			if (!files.has(path)) files.set(path, readSmallFile(path));
			return showsStill(files.get(path), args, shown.get(callId));
		}
		if (tool === "bash") return isReadOnlyCommand(commandText(args) ?? "") ? undefined : false;
		return unknown.has(tool) ? undefined : false;
	};
}

function readSmallFile(path: string): string | undefined {
	try {
		return readTextFile(path, MAX_FILE);
	} catch {
		// Whatever the reason, this file cannot be read again now.
		return undefined;
	}
}

/** The first text of each result, which is the tool's own; what comes after it was attached. Images are not compared. */
function readResults(messages: readonly HostMessage[]): ReadonlyMap<string, string> {
	const results = new Map<string, string>();
	for (const message of messages) {
		const result = resultPartsOf(message);
		if (result?.output !== undefined && !result.hasImages) results.set(result.callId, result.output);
	}
	return results;
}

/** Returns true if the lines that a read showed are still at their place in the file; undefined if that is unknown. */
function showsStill(
	file: string | undefined,
	{ offset }: Readonly<Record<string, unknown>>,
	shown: string | undefined,
): boolean | undefined {
	if (shown === undefined) return undefined;
	if (file === undefined) return false;
	// pi ends what it cut short with a line of its own in brackets.
	const lines = shown.replace(/\n\n\[[^\n]*\]$/, "").split("\n");
	const first = typeof offset === "number" && offset > 1 ? Math.floor(offset) - 1 : 0;
	const now = file.split("\n").slice(first, first + lines.length);
	return now.length === lines.length && now.every((line, index) => line === lines[index]);
}
