/** Writes a history of any size: sessions as Claude Code writes them, mostly bytes that are no content. */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

export interface HistorySize {
	/** Of all files, in bytes. */
	readonly bytes: number;
	/** Of one session, in bytes. */
	readonly sessionBytes: number;
}

/** Of the bytes of 62 recorded Claude Code sessions 22 % are content; the rest is copies and bookkeeping. */
const COPIES = 4;
const READ_LINES = 120;
const ROUNDS_PER_TURN = 8;

/** Writes sessions until the total size is reached, and returns their number. */
export async function writeHistory(folder: string, { bytes, sessionBytes }: HistorySize): Promise<number> {
	await mkdir(folder, { recursive: true });
	let [written, sessions] = [0, 0];
	while (written < bytes) {
		const path = join(folder, `session-${String(sessions).padStart(5, "0")}.jsonl`);
		written += await writeSession(path, sessions, Math.min(sessionBytes, bytes - written));
		sessions += 1;
	}
	return sessions;
}

async function writeSession(path: string, session: number, bytes: number): Promise<number> {
	const file = createWriteStream(path);
	let written = 0;
	for (let round = 0; written < bytes; round++) {
		for (const line of writeRound(session, round)) {
			const text = `${JSON.stringify(line)}\n`;
			written += text.length;
			if (!file.write(text)) await once(file, "drain");
		}
	}
	file.end();
	await once(file, "close");
	return written;
}

/** Sometimes a user turn; always a read and an edit of one line. All text is ASCII: one byte per character. */
function* writeRound(session: number, round: number): Generator<object> {
	const id = (step: string) => `${session}-${round}-${step}`;
	const previous = round === 0 ? null : `${session}-${round - 1}-edited`;
	const path = `/work/src/part${round % 40}.ts`;
	const lines = Array.from({ length: READ_LINES }, (_, i) => writeLine(session * 7919 + round * 131 + i));
	const shown = lines.map((line, i) => `${String(i + 1).padStart(6)}\t${line}`).join("\n");
	const line = lines[round % READ_LINES] ?? "";
	const edit = { file_path: path, old_string: line, new_string: `${line} // ${round}` };
	const isTurn = round % ROUNDS_PER_TURN === 0;
	if (isTurn)
		yield { ...entry(id("turn"), previous), ...user(`Look after part ${round} of task ${session}.`) };
	yield {
		...entry(id("read"), isTurn ? id("turn") : previous),
		...reply(id("r"), "Read", { file_path: path }),
	};
	yield {
		...entry(id("shown"), id("read")),
		...user(result(id("r"), shown)),
		toolUseResult: { file: shown },
	};
	yield { ...entry(id("edit"), id("shown")), ...reply(id("e"), "Edit", edit) };
	yield {
		...entry(id("edited"), id("edit")),
		...user(result(id("e"), `The file ${path} has been updated.`)),
	};
	yield { type: "file-history-snapshot", snapshot: { backups: shown.repeat(COPIES - 1) } };
}

function entry(uuid: string, parentUuid: string | null): object {
	return { uuid, parentUuid, isSidechain: false, sessionId: "s", timestamp: "2026-01-01T00:00:00.000Z" };
}

function user(content: unknown): object {
	return { type: "user", message: { role: "user", content } };
}

function result(tool_use_id: string, content: string): readonly object[] {
	return [{ type: "tool_result", tool_use_id, content }];
}

function reply(id: string, name: string, input: object): object {
	const content = [{ type: "tool_use", id, name, input }];
	return { type: "assistant", message: { id: `message-${id}`, role: "assistant", content } };
}

const WORDS =
	"cache read entry plan budget token window ledger policy replay session graph level batch".split(" ");

/** A line that looks like code and differs for every seed. */
function writeLine(seed: number): string {
	const word = (n: number) => WORDS[Math.imul(seed + n, 2654435761) >>> 28] ?? "value";
	return `\tconst ${word(1)}_${word(2)}_${seed} = ${word(3)}(${word(4)}.${word(5)}, ${seed % 97});`;
}
