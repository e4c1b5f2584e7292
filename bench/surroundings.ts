/** The surroundings of a measurement: the day, the commit and the machine; and the heap of this process. */
import { execFileSync } from "node:child_process";
import { cpus, release, totalmem, type } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface Machine {
	readonly cpu: string;
	readonly cores: number;
	/** GiB. */
	readonly memory: number;
	readonly system: string;
	readonly node: string;
}

export interface Surroundings {
	/** The day of the run. */
	readonly date: string;
	/** The commit of this project, with `+` for uncommitted changes. */
	readonly commit: string;
	readonly machine: Machine;
}

export function describeSurroundings(): Surroundings {
	return { date: today(), commit: readCommit(), machine: describeMachine() };
}

/** The day and the machine in a line. */
export const describeDay = ({ cpu, cores, system, node }: Machine): string =>
	`${today()}; ${cpu}, ${cores} cores, ${system}, Node ${node}`;

export const today = (): string => new Date().toISOString().slice(0, 10);

export function describeMachine(): Machine {
	const cores = cpus();
	return {
		cpu: cores[0]?.model.trim() ?? "unknown",
		cores: cores.length,
		memory: Math.round(totalmem() / 2 ** 30),
		system: `${type()} ${release()}`,
		node: process.versions.node,
	};
}

/** The commit of this project; a published copy has none. */
function readCommit(): string {
	const git = (...args: readonly string[]) =>
		execFileSync("git", args, {
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

/** Bytes of the heap in use after a collection, typed arrays included. */
export function measureHeap(): number {
	setFlagsFromString("--expose-gc");
	runInNewContext("gc")();
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
}
