import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { startWorkTrial } from "./test-support/work-trial.ts";

test("a session whose last line was cut short keeps all that came before, and all that comes after", async () => {
	const trial = await startWorkTrial(1, 2);
	const pi = trial.rpc();
	const [first = "", second = ""] = trial.prompts;
	await pi.prompt(first);
	const file = await pi.file();
	await pi.kill();
	const whole = await readFile(file, "utf8");
	const last = whole.trimEnd().lastIndexOf("\n") + 1;
	const cut = whole.slice(0, last + 40);
	await writeFile(file, cut);

	const resumed = trial.rpc({ args: ["-c"] });
	await resumed.prompt(second);
	await resumed.kill();
	const after = await readFile(file, "utf8");
	expect(after.startsWith(`${cut}\n{`)).toBe(true);
	const lines = after.trimEnd().split("\n");
	const torn = cut.slice(last);
	expect(lines.filter((line) => line === torn)).toHaveLength(1);
	const count = trial.requests.length;
	const again = trial.rpc({ args: ["-c"] });
	await again.prompt("Thank you.");
	const said = trial.requests[count]?.messages.map(({ text }) => text);
	expect(said).toContain(first);
	expect(said).toContain(second);
	expect(trial.loopback.records().filter(({ refused }) => refused)).toEqual([]);
});
