/** Processor time, which does not grow with other load on the machine. */
import { readFileSync } from "node:fs";

/** The kernel's clock tick in `/proc`, on every Linux that Node is built for. */
const MS_A_TICK = 10;

/** Processor time of this process and its child processes so far, in ms; undefined if the system does not count it. */
export function readCpuMs(): number | undefined {
	if (process.platform !== "linux") return undefined;
	const { user, system } = process.cpuUsage();
	// proc(5): the name, in brackets, may hold anything; utime, stime, cutime and cstime are fields 14 to 17.
	const fields = readFileSync("/proc/self/stat", "utf8")
		.replace(/^.*\) /s, "")
		.split(" ");
	const ofPrograms = Number(fields[13]) + Number(fields[14]);
	return (user + system) / 1000 + ofPrograms * MS_A_TICK;
}
