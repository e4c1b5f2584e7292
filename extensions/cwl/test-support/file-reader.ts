/** A model that thinks and reads one file in each turn, and the files that it reads. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModelReply, ModelRequest } from "#loopback";

/** The prompt of a turn; its file is named after it. */
export const turn = (index: number) => `turn ${index}`;

/** Reads the file of the turn in progress, then ends the turn; writes the summary that pi asks for. */
export function readFileOfTurn({ messages, tools }: ModelRequest): ModelReply {
	if (tools.length === 0) return { text: "A summary of the session." };
	const asked = messages.findLastIndex(({ type, text }) => type === "user" && text.startsWith("turn "));
	if (messages.slice(asked).some(({ type }) => type === "result")) {
		return { thinking: "That is all.", text: "read it" };
	}
	const path = `${messages[asked]?.text ?? ""}.txt`;
	return { thinking: "I should read it.", calls: [{ name: "read", arguments: { path } }] };
}

/** Some 2,000 tokens for each turn. */
export async function writeFilesOfTurns(folder: string, turns: number): Promise<void> {
	const text = "some text of the file\n".repeat(400);
	for (let index = 0; index < turns; index += 1) await writeFile(join(folder, `${turn(index)}.txt`), text);
}
