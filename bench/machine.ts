/** The machine of a measurement. */
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
