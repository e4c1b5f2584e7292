import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readChildOutput } from "./child-output.ts";
import { createScratch } from "./test-support/scratch.ts";

const command = (script: string, more: Partial<Parameters<typeof readChildOutput>[0]> = {}) => ({
	program: "/bin/sh",
	args: ["-c", script],
	cwd: createScratch(),
	env: { PATH: process.env.PATH ?? "" },
	deadlineMs: 20_000,
	...more,
});

describe.each([false, true])("a program's output, with a file between: %s", (printsPieces) => {
	it("is read whole, with the exit code and what it complained of", async () => {
		const output = await readChildOutput(
			command("echo one; echo two; echo no >&2; exit 3", { printsPieces }),
		);
		expect(output).toEqual({ type: "exit", code: 3, stdout: Buffer.from("one\ntwo\n"), stderr: "no\n" });
	});

	it("stands as far as it came when time is up", async () => {
		const output = await readChildOutput(
			command("echo one; exec sleep 60", { printsPieces, deadlineMs: 1500 }),
		);
		expect(output).toEqual({ type: "deadline", stdout: Buffer.from("one\n") });
		// The program's own end comes later, and finds everything put away.
		await pause(50);
	});

	it("is refused when there is too much of it", async () => {
		const output = await readChildOutput(command("echo 0123456789", { printsPieces, maxBytes: 5 }));
		expect(output).toEqual({ type: "too-large" });
	});

	it("ends when it is cancelled", async () => {
		const controller = new AbortController();
		const reading = readChildOutput(command("exec sleep 60", { printsPieces, signal: controller.signal }));
		setTimeout(() => controller.abort(), 50);
		await expect(reading).rejects.toMatchObject({ code: "aborted" });
		await pause(50);
	});
});

it("is missing where the program is", async () => {
	const program = join(createScratch(), "nothing");
	expect(await readChildOutput({ ...command(""), program })).toEqual({ type: "missing" });
});
