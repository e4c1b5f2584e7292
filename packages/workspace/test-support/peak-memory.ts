import { readdirSync, readFileSync } from "node:fs";

export interface Measured<T> {
	readonly value: T;
	/** The largest resident set, in bytes, of any program that was started meanwhile; 0 where /proc is missing. */
	readonly peakBytes: number;
	/**
	 * The longest time, in milliseconds, that any of these programs ran or waited for something other than a processor:
	 * a busy machine does not raise it. 0 where /proc is missing.
	 */
	readonly longestMs: number;
}

const SAMPLE_MS = 5;

interface Moment {
	readonly at: number;
	/** Milliseconds that this process had waited for a processor by then. */
	readonly ownQueuedMs: number;
}

/**
 * Runs a step and measures the programs that this process starts meanwhile. Linux keeps the peak of each process
 * (VmHWM), so that a sample every few milliseconds misses only the growth right before the exit.
 */
export async function measurePrograms<T>(run: () => Promise<T>): Promise<Measured<T>> {
	const firstSeen = new Map<number, Moment>();
	let peakBytes = 0;
	let longestMs = 0;
	const sample = () => {
		const ownQueuedMs = readQueuedMs("self");
		for (const pid of listDescendants(process.pid)) {
			const start = firstSeen.get(pid) ?? { at: performance.now(), ownQueuedMs };
			firstSeen.set(pid, start);
			// The two wait at the same time as a rule: the longer one counts.
			const queuedMs = Math.max(readQueuedMs(pid), ownQueuedMs - start.ownQueuedMs);
			longestMs = Math.max(longestMs, performance.now() - start.at - queuedMs);
			peakBytes = Math.max(peakBytes, readPeak(pid));
		}
	};
	const timer = setInterval(sample, SAMPLE_MS);
	try {
		const value = await run();
		return { value, peakBytes, longestMs };
	} finally {
		clearInterval(timer);
	}
}

/** Process ids of all programs that this process has started and their own, on Linux; none elsewhere. */
function listDescendants(pid: number): readonly number[] {
	const children = readTasks(pid).flatMap((task) => readNumbers(`/proc/${pid}/task/${task}/children`));
	return children.flatMap((child) => [child, ...listDescendants(child)]);
}

function readTasks(pid: number): readonly string[] {
	try {
		return readdirSync(`/proc/${pid}/task`);
	} catch {
		return [];
	}
}

function readNumbers(file: string): readonly number[] {
	return (readText(file).match(/\d+/g) ?? []).map(Number);
}

function readPeak(pid: number): number {
	const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readText(`/proc/${pid}/status`))?.[1];
	return Number(kibibytes ?? 0) * 1024;
}

/** Milliseconds that a process's first thread has waited for a processor (the kernel's sched-stats.rst); 0 where unknown. */
function readQueuedMs(pid: number | "self"): number {
	return (readNumbers(`/proc/${pid}/schedstat`)[1] ?? 0) / 1e6;
}

/** Empty when the process has ended. */
function readText(file: string): string {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return "";
	}
}
