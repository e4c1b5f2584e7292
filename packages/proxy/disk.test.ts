/** A store on a disk that is full or read-only: the agent gets what it would get without a proxy, and one line says why. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, test as plainTest } from "vitest";
import { createScratch } from "../workspace/test-support/scratch.ts";
import { startRecorded } from "./test-support/managed.ts";
import { readingSession } from "./test-support/small-requests.ts";

const mount = (...args: readonly string[]) => execFileSync("mount", [...args], { stdio: "ignore" });

/** Mounts a disk of 256 KB that ends with the test; undefined where this user may not. */
function mountSmallDisk(): string | undefined {
	const disk = createScratch();
	try {
		mount("-t", "tmpfs", "-o", "size=256k", "tmpfs", disk);
	} catch {
		return undefined;
	}
	onTestFinished(() => void execFileSync("umount", ["-l", disk]));
	return disk;
}

const test = plainTest.extend<{ readonly disk: string }>({
	disk: async ({ skip }, use) => {
		const disk = mountSmallDisk() ?? skip("this user may not mount a small disk");
		await use(disk);
	},
});

async function sendSessions(disk: string) {
	const folder = join(disk, "store");
	mkdirSync(folder);
	const { seen, send, warnings } = await startRecorded(undefined, { folder });
	/** Returns true if the request arrived as it was sent. */
	async function passes(exchanges: number, opening?: string): Promise<boolean> {
		const body = Buffer.from(JSON.stringify(readingSession(exchanges, 400, opening)));
		await send(body);
		return seen.at(-1)?.body.equals(body) === true;
	}
	return { passes, warnings, seen };
}

const refused = (code: string) => `cannot be written (${code}): nothing is evicted until it can.`;

test("a full disk stops evictions, and they go on when there is room again", async ({ disk, expect }) => {
	const { passes, warnings, seen } = await sendSessions(disk);
	expect(await passes(12)).toBe(false);
	const evicted = seen.at(-1)?.body;
	fill(disk);
	// What was evicted before stays evicted: those passes are on the disk.
	expect(await passes(12)).toBe(false);
	expect(seen.at(-1)?.body).toEqual(evicted);
	for (const exchanges of [12, 20, 30]) expect(await passes(exchanges, "Another task.")).toBe(true);
	expect(warnings).toEqual([expect.stringContaining(refused("ENOSPC"))]);
	rmSync(join(disk, "ballast"));
	expect(await passes(31, "Another task.")).toBe(false);
	expect(warnings).toHaveLength(1);
});

function fill(disk: string) {
	const file = join(disk, "ballast");
	for (let size = 256 * 1024; size >= 1; size = Math.floor(size / 2)) {
		try {
			writeFileSync(file, Buffer.alloc(size), { flag: "a" });
		} catch {
			// Half as much may fit.
		}
	}
}
