import { expect, test } from "vitest";
import { startTrial } from "../../extensions/cwl/test-support/trial.ts";
import { writeSessionFile } from "../../packages/lab/test-support/lab.ts";
import { writeLongSession } from "../../packages/lab/test-support/long-session.ts";
import { BENCH } from "../test-support/bench-program.ts";

const model = () => ({ text: "ok" });

test("one command runs tasks and sessions, makes the page, and does not run again what is kept", async () => {
	const trial = await startTrial({ model });
	await writeSessionFile(`${trial.directory}/sessions/one.jsonl`, writeLongSession(40));
	const args = ["policy-sweep", `${trial.directory}/sessions`, "--keep", `${trial.directory}/kept`];
	const small = [...args, "--tasks", "1", "--budget", "4k,80k"];
	const first = await trial.run(small, { program: BENCH });
	expect(first.stderr).toMatch(/^10 of 10 tasks, /m);
	for (const step of ["1 of 3: tasks", "2 of 3: hard tasks", "3 of 3: recorded sessions"])
		expect(first.stderr).toContain(`step ${step}\n`);
	expect(first.code).toBe(0);
	for (const row of [/^\| cwl-economy +\| +4k \|/gm, /^\| paper +\| +80k \|/gm])
		expect(first.stdout.match(row)).toHaveLength(3);

	const again = await trial.run(small, { program: BENCH });
	expect(again.stderr).not.toContain("of 10 tasks");
	expect(again.stdout).toBe(first.stdout);
}, 180_000);

test.each([[["DIR"]], [["--kept"]], [["--keep", "FOLDER"]]])(
	"%j is refused in one line with exit code 2",
	async (args) => {
		const trial = await startTrial({ model });
		const { code, stdout, stderr } = await trial.run(["policy-sweep", ...args], { program: BENCH });
		expect([code, stdout]).toEqual([2, ""]);
		expect(stderr).toMatch(/^bench: [^\n]+\n$/);
	},
	30_000,
);
