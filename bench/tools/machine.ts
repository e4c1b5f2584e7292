/** What a figure was measured on. */
import { execFileSync } from "node:child_process";
import { cpus, release, totalmem, type } from "node:os";

export interface Machine {
	readonly cpu: string;
	readonly cores: number;
	/** GiB. */
	readonly memory: number;
	readonly system: string;
	readonly node: string;
}

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

/** The version that a program prints, undefined where it is not installed. */
export function programVersion(program: string): string | undefined {
	try {
		const output = execFileSync(program, ["--version"], {
			encoding: "utf8",
			stdio: ["ignore", "pipe", "ignore"],
		});
		return /\d+(\.\d+)+/.exec(output)?.[0];
	} catch {
		// Not installed, or not to be started: the bench goes on without it.
		return undefined;
	}
}
