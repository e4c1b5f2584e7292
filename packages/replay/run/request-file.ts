/** The projected requests of one session under one policy, one JSON line each, so that anyone can score them. */
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { CwlError, type HostMessage } from "#pi";
import type { ExtraCall } from "../policies/replay-policy.ts";

/** `full` writes every message of every request; `delta` only what differs from the request before. */
export type RequestForm = "full" | "delta";

interface WrittenRequest {
	readonly index: number;
	readonly messages: readonly HostMessage[];
	/** Number of leading messages that the previous request began with too. */
	readonly sharedMessages: number;
	/** Model calls of the policy's own. */
	readonly extraCalls: readonly ExtraCall[];
}

export interface RequestFile {
	write(request: WrittenRequest): void;
	/** Give the file its name; until then it ends in `.partial`. */
	finish(): void;
	/** Remove what was written. */
	discard(): void;
}

export interface RequestFileOptions {
	readonly folder: string;
	/** File name without extension. */
	readonly name: string;
	readonly form: RequestForm;
	/** The system prompt; each line of the full form holds it. */
	readonly system: string;
	/** The session's messages: the delta form refers to them by index. */
	readonly recorded: readonly HostMessage[];
}

/** Open a requests file, creating its folder. Throws a `CwlError` when that cannot be done. */
export function createRequestFile(options: RequestFileOptions): RequestFile {
	const path = join(options.folder, `${options.name.replaceAll(/[/\\:]/g, "_")}.jsonl`);
	const partial = `${path}.partial`;
	const file = openFile(options.folder, partial);
	const format = options.form === "full" ? formatFull(options) : formatDelta(options);
	return {
		write: (request) => void writeSync(file, `${JSON.stringify(format(request))}\n`),
		finish() {
			closeSync(file);
			renameSync(partial, path);
		},
		discard() {
			closeSync(file);
			rmSync(partial, { force: true });
		},
	};
}

function openFile(folder: string, path: string): number {
	try {
		mkdirSync(folder, { recursive: true });
		return openSync(path, "w");
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new CwlError(
			"not-writable",
			`${folder}: requests cannot be written there (${reason}); name a folder that can be written.`,
		);
	}
}

type Format = (request: WrittenRequest) => object;

function formatFull({ system }: RequestFileOptions): Format {
	return ({ index, messages, extraCalls }) => ({ turn: index, messages, system, ...extra(extraCalls) });
}

function formatDelta({ recorded }: RequestFileOptions): Format {
	const indexes = new Map(recorded.map((message, index) => [message, index]));
	return ({ index, messages, sharedMessages: keep, extraCalls }) => ({
		turn: index,
		keep,
		add: messages.slice(keep).map((message) => indexes.get(message) ?? message),
		...extra(extraCalls),
	});
}

function extra(extraCalls: readonly ExtraCall[]): object {
	return extraCalls.length > 0 ? { extraCalls } : {};
}
