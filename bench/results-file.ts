/** Figures that a long run left in the repository, with what is needed to make them again. */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CwlError } from "#pi";
import { describeMachine, type Machine } from "./machine.ts";

/** Known of every run. */
export interface Surroundings {
	/** The day of the run. */
	readonly date: string;
	/** The commit of this project, with `+` for uncommitted changes. */
	readonly commit: string;
	readonly machine: Machine;
}

export interface ResultsFile<Figures = unknown> extends Surroundings {
	readonly version: 1;
	readonly command: string;
	readonly figures: Figures;
}

const folder = join(import.meta.dirname, "results");

export function describeSurroundings(): Surroundings {
	return { date: new Date().toISOString().slice(0, 10), commit: readCommit(), machine: describeMachine() };
}

function resultsPath(name: string): string {
	return join(folder, `${name}.json`);
}

export async function writeResults(name: string, command: string, figures: unknown): Promise<void> {
	const file: ResultsFile = { version: 1, ...describeSurroundings(), command, figures };
	await writeFile(resultsPath(name), `${JSON.stringify(file, undefined, "\t")}\n`);
}

/** Undefined if nobody kept any. @throws CwlError `bad-results` naming the file */
export async function readResults<Figures = unknown>(
	name: string,
): Promise<ResultsFile<Figures> | undefined> {
	const path = resultsPath(name);
	const text = await readFile(path, "utf8").catch(() => undefined);
	if (text === undefined) return undefined;
	const file: Partial<ResultsFile<Figures>> = JSON.parse(text);
	const { version, date, commit, machine, command, figures } = file;
	if (version === 1 && date && commit && machine && command && figures !== undefined) {
		return { version, date, commit, machine, command, figures };
	}
	throw new CwlError(
		"bad-results",
		`${path}: this is no file of version 1 with date, commit, machine and command; run its command again.`,
	);
}

/** The commit of this project; a published copy has none. */
function readCommit(): string {
	const git = (...args: readonly string[]) =>
		execFileSync("git", [...args], {
			cwd: import.meta.dirname,
			encoding: "utf8",
			stdio: ["ignore", "pipe", "ignore"],
		});
	try {
		const isClean = git("status", "--porcelain", "--untracked-files=no") === "";
		return `${git("rev-parse", "--short", "HEAD").trim()}${isClean ? "" : "+"}`;
	} catch {
		return "unknown";
	}
}
