/** The projected requests of one session under one policy, one JSON line each, so that anyone can score them. */
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { CwlError, type HostMessage, messageOf } from "#pi";
import type { ExtraCall } from "../policies/replay-policy.ts";
import type { ReplaySettings } from "./setup.ts";

interface WrittenRequest {
	readonly index: number;
	readonly messages: readonly HostMessage[];
	/** Number of leading messages that the previous request began with too. */
	readonly sharedMessages: number;
	/** Model calls of the policy's own. */
	readonly extraCalls: readonly ExtraCall[];
}

export interface RequestFileOptions extends NonNullable<ReplaySettings["requests"]> {
	/** File name without extension. */
	readonly name: string;
	/** The system prompt; each line of the full form holds it. */
	readonly system: string;
	/** The session's messages: the delta form refers to them by index. */
	readonly recorded: readonly HostMessage[];
}

export type RequestFile = ReturnType<typeof createRequestFile>;

/** Opens a requests file, creating its folder. @throws CwlError `not-writable` */
export function createRequestFile({ folder, name, form, system, recorded }: RequestFileOptions) {
	const path = join(folder, `${name.replaceAll(/[/\\:]/g, "_")}.jsonl`);
	const partial = `${path}.partial`;
	const file = openFile(folder, partial);
	const indexes = new Map(recorded.map((message, index) => [message, index]));
	return {
		write({ index, messages, sharedMessages: keep, extraCalls }: WrittenRequest) {
			const add = messages.slice(keep).map((message) => indexes.get(message) ?? message);
			const body = form === "full" ? { messages, system } : { keep, add };
			const line = { turn: index, ...body, ...(extraCalls.length > 0 && { extraCalls }) };
			writeSync(file, `${JSON.stringify(line)}\n`);
		},
		/** Gives the file its name where it is whole; until then it ends in `.partial`. Removes it otherwise. */
		close(isWhole: boolean) {
			closeSync(file);
			if (isWhole) renameSync(partial, path);
			else rmSync(partial, { force: true });
		},
	};
}

function openFile(folder: string, path: string): number {
	try {
		mkdirSync(folder, { recursive: true });
		return openSync(path, "w");
	} catch (error) {
		throw new CwlError(
			"not-writable",
			`${folder}: requests cannot be written there (${messageOf(error)}); name a folder that can be written.`,
		);
	}
}
