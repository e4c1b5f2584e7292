/** A file to read and an extension that hears our events. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModelReply } from "#testing";
import { read } from "./following.ts";
import type { RpcSession } from "./rpc-session.ts";
import { readData } from "./session-entries.ts";
import type { Trial } from "./trial.ts";

/** Writes big.txt of 400 lines into the workspace. */
export async function writeBigFile({ work }: Trial): Promise<void> {
	const lines = Array.from({ length: 400 }, (_, at) => `line number ${at} of the big file`);
	await writeFile(join(work, "big.txt"), lines.join("\n"));
}

/** Writes an extension that keeps the events of these names in the session, and returns its path. */
export async function writeListener({ directory }: Trial, names: readonly string[]): Promise<string> {
	const path = join(directory, "listener.js");
	await writeFile(
		path,
		`export default (pi) => {
	for (const name of ${JSON.stringify(names)}) pi.events.on(name, (data) => pi.appendEntry("heard", { name, data }));
};`,
	);
	return path;
}

/** The events that a listener has kept, oldest first. */
export async function readHeard(pi: Pick<RpcSession, "file">) {
	return await readData(await pi.file(), "heard");
}

/** A model that reads 100 lines of the big file in each turn, then answers with a word. */
export function readsOnce(): () => ModelReply {
	let calls = 0;
	return () => {
		calls += 1;
		if (calls % 2 === 0) return { text: "done" };
		return { calls: [read("big.txt", { offset: calls, limit: 100 })] };
	};
}
