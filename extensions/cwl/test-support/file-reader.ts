/** A model that thinks and reads one file in each turn, and the files that it reads. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { following, read } from "./following.ts";

/** The prompt of a turn; its file is named after it. */
export const turn = (index: number) => `turn ${index}`;

/** Reads the file of the turn, then ends the turn; writes the summary that pi asks for. */
export const readFileOfTurn = following((prompt) =>
	prompt.startsWith("turn ")
		? [
				{ thinking: "I should read it.", calls: [read(`${prompt}.txt`)] },
				{ thinking: "That is all.", text: "read it" },
			]
		: undefined,
);

/** Some 2,000 tokens for each turn. */
export async function writeFilesOfTurns(folder: string, turns: number): Promise<void> {
	const text = "some text of the file\n".repeat(400);
	for (let index = 0; index < turns; index += 1) await writeFile(join(folder, `${turn(index)}.txt`), text);
}
