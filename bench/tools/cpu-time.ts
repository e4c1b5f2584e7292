/** Processor time: unlike the clock's, it does not grow with what else the machine does. */
import { readFileSync } from "node:fs";

/** Of the kernel's clock that `/proc` counts in, on every Linux that Node is built for. */
const MS_A_TICK = 10;

/** Milliseconds that this process and the programs it has run have used so far; undefined where nobody counts them. */
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
