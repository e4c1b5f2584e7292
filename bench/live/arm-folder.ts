/**
 * The folder of one arm: its work tree, its sessions as pi wrote them, its finished trials, and the lines of attempts that were
 * interrupted or repeated. It is all that a later run needs to go on.
 */
import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceTextFile } from "#pi/files";

/** One finished trial: a task under one arm. */
export interface Trial {
	readonly task: string;
	readonly isSolved: boolean;
	readonly seconds: number;
	/** The file of its session, and its lines there: the first, and the one after the last. */
	readonly session: string;
	readonly from: number;
	readonly to: number;
	/** The commit of the work tree afterwards. */
	readonly commit: string;
	/** The words of the provider, which failed twice. */
	readonly fault?: string;
	/** True for a context that the provider refused as too long: such a trial is not solved, others with a fault say nothing. */
	readonly isTooLong?: boolean;
}

export type ArmFolder = Awaited<ReturnType<typeof openArmFolder>>;

export async function openArmFolder(folder: string) {
	const file = join(folder, "trials.json");
	const sessions = join(folder, "sessions");
	const dropped = join(folder, "dropped.jsonl");
	const text = await readFile(file, "utf8").catch(() => "[]");
	const trials: Trial[] = JSON.parse(text);
	return {
		sessions,
		repository: join(folder, "repository"),
		/** In the order of the tasks. */
		trials: trials as readonly Trial[],
		async add(trial: Trial) {
			trials.push(trial);
			await replaceTextFile(file, JSON.stringify(trials, undefined, "\t"));
		},
		/** Moves all lines of sessions that belong to no finished trial, so that each session ends where its last trial did. */
		async dropAttempts() {
			const names = await readdir(sessions).catch(() => []);
			for (const name of names.filter((each) => each.endsWith(".jsonl"))) {
				const path = join(sessions, name);
				const lines = await readLines(path);
				const end = Math.max(0, ...trials.map(({ session, to }) => (session === name ? to : 0)));
				if (lines.length > end) await appendFile(dropped, textOf(lines.slice(end)));
				if (end === 0) await rm(path);
				else if (lines.length > end) await writeFile(path, textOf(lines.slice(0, end)));
			}
		},
		/** The lines that were dropped, of all sessions. */
		readDropped: () => readLines(dropped),
	};
}

/** Empty where there is no file. */
export async function readLines(path: string): Promise<readonly string[]> {
	const text = await readFile(path, "utf8").catch(() => "");
	return text.split("\n").filter((line) => line !== "");
}

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
