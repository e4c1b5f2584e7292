/** The files and processes that a killed process leaves behind, apart from its session. */
import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const POLL_MS = 20;

/** All files under a folder, by relative path. */
export async function listFiles(folder: string): Promise<readonly string[]> {
	return (await readdir(folder, { recursive: true })).toSorted();
}

/** pi locks its settings while it reads them; a process killed at that time leaves the lock, which becomes stale. */
const PI_LOCK = join("agent", "settings.json.lock");
/** The cache of compiled extensions, which pi fills at first use. */
const COMPILED = join("tmp", "jiti");
/** pi considers a lock stale after 10 s. */
const STALE_MS = 10_500;

/** Returns true if pi's own lock is left, after waiting until it is stale. */
export async function outwaitLock(files: readonly string[]): Promise<boolean> {
	const isLocked = files.includes(PI_LOCK);
	if (isLocked) await pause(STALE_MS);
	return isLocked;
}

/** Reports new files. A lock of pi's is allowed once; it must be gone after the next process. */
export function checkLeftovers(
	before: readonly string[],
	after: readonly string[],
	wasLocked: boolean,
): readonly string[] {
	const known = new Set(wasLocked ? before : [...before, PI_LOCK]);
	const isStray = (path: string) => !known.has(path) && !path.startsWith(COMPILED);
	return after.filter(isStray).map((path) => `a stray file: ${path}`);
}

/** Reports locks in a work folder, including those of git. */
export function checkLocks(files: readonly string[]): readonly string[] {
	return files.filter((path) => path.endsWith(".lock")).map((path) => `a stuck lock: ${path}`);
}

/** Waits for the commands that a killed process had started: they outlive it and still change files. */
export async function waitForOrphans(folder: string, known: readonly string[]): Promise<void> {
	while ((await processesIn(folder)).some((pid) => !known.includes(pid))) await pause(POLL_MS);
}

/** The ids of processes that work in this folder or below it, if the system tells them (Linux). */
export async function processesIn(folder: string): Promise<readonly string[]> {
	const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
	const places = await Promise.all(pids.map((pid) => readlink(join("/proc", pid, "cwd")).catch(() => "")));
	return pids.filter((_, i) => places[i] === folder || places[i]?.startsWith(`${folder}/`));
}
