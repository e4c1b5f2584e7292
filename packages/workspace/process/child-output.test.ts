import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { measurePrograms } from "../test-support/peak-memory.ts";
import { createScratch } from "../test-support/scratch.ts";
import { readChildOutput } from "./child-output.ts";

const isLinux = existsSync("/proc/self/status");
const GIB = 2 ** 30;

const command = (script: string, more: Partial<Parameters<typeof readChildOutput>[0]> = {}) => ({
	program: "sh",
	args: ["-c", script],
	cwd: createScratch(),
	env: { PATH: process.env.PATH ?? "" },
	deadlineMs: 600_000,
	...more,
});

describe("the output of a program", () => {
	it("is read whole, with the exit code and the messages", async () => {
		const output = await readChildOutput(command("echo one; echo two; echo no >&2; exit 3"));
		expect(output).toEqual({ type: "exit", code: 3, stdout: Buffer.from("one\ntwo\n"), stderr: "no\n" });
	});

	it("answers to the input, and to the end of a program that does not read it", async () => {
		const input = Buffer.alloc(1_000_000, "x\n");
		const counted = await readChildOutput(command("wc -c", { input }));
		expect(counted).toMatchObject({ code: 0, stdout: Buffer.from("1000000\n") });
		expect(await readChildOutput(command("exit 4", { input }))).toMatchObject({ code: 4 });
	});

	it("is refused when there is too much of it", async () => {
		const output = await readChildOutput(command("echo 0123456789", { maxBytes: 5 }));
		expect(output).toEqual({ type: "too-large" });
	});

	it("ends when it is cancelled", async () => {
		const controller = new AbortController();
		const reading = readChildOutput(command("exec sleep 60", { signal: controller.signal }));
		setTimeout(() => controller.abort(), 50);
		await expect(reading).rejects.toMatchObject({ code: "aborted" });
		await pause(50);
	});

	it("is missing where the program is", async () => {
		const program = join(createScratch(), "nothing");
		expect(await readChildOutput({ ...command(""), program })).toEqual({ type: "missing" });
		expect(await readChildOutput({ ...command(""), program: "no-such-program" })).toEqual({
			type: "missing",
		});
	});
});

describe.runIf(isLinux)("a program (Linux)", () => {
	it("is killed at the deadline with every program that it started", async () => {
		const script = "sleep 8161 & sleep 8162 & (sleep 8163 & wait) & wait";
		expect(await readChildOutput(command(script, { deadlineMs: 500 }))).toEqual({ type: "deadline" });
		await expect.poll(() => !isRunning("sleep 816")).toBe(true);
	});

	it("gets no more than 1 GiB of memory", async () => {
		const script = "process.stdout.write(String(Buffer.alloc(3 * 2 ** 30, 1).length))";
		const hog = command("", { program: process.execPath, args: ["-e", script] });
		const { value, peakBytes } = await measurePrograms(() => readChildOutput(hog));
		expect(value).not.toMatchObject({ type: "exit", code: 0 });
		expect(peakBytes).toBeLessThan(1.2 * GIB);
	});
});

function isRunning(commandLine: string): boolean {
	return execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).includes(commandLine);
}
