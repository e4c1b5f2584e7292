import { readdirSync, readFileSync } from "node:fs";

export interface Measured<T> {
	readonly value: T;
	/** The largest resident set, in bytes, of any program that was started meanwhile; 0 where /proc is missing. */
	readonly peakBytes: number;
	/** The longest time, in milliseconds, that any of these programs ran; 0 where /proc is missing. */
	readonly longestMs: number;
}

const SAMPLE_MS = 5;

/**
 * Runs a step and measures the programs that this process starts meanwhile. Linux keeps the peak of each process
 * (VmHWM), so that a sample every few milliseconds misses only the growth right before the exit.
 */
export async function measurePrograms<T>(run: () => Promise<T>): Promise<Measured<T>> {
	const firstSeen = new Map<number, number>();
	let [peakBytes, longestMs] = [0, 0];
	const sample = () => {
		const now = performance.now();
		for (const pid of listDescendants(process.pid)) {
			const start = firstSeen.get(pid) ?? now;
			firstSeen.set(pid, start);
			longestMs = Math.max(longestMs, now - start);
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

/** Empty when the process has ended. */
function readText(file: string): string {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return "";
	}
}
