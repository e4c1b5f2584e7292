import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readState, textOf } from "../test-support/state.ts";
import { startTrial } from "../test-support/trial.ts";
import { startWorkTrial } from "../test-support/work-trial.ts";

const environment = { CWL_BUDGET: "60k" };

test("/cwl notes writes what the session knows, and what a person edits there holds, evicted or not, after a resume too", async () => {
	const trial = await startWorkTrial(3, 5);
	const pi = trial.rpc({ environment });
	for (const prompt of trial.prompts.slice(0, 3)) await pi.prompt(prompt);
	const { episodes } = await readState(pi);
	const expls = episodes.filter(({ kind, state }) => kind === "expl" && state === "closed");
	const [evicted = "", kept = ""] = [expls[0]?.name, expls.at(-1)?.name];
	for (const { name } of episodes.filter(({ dependencies }) => dependencies.includes(evicted))) {
		await pi.command(`/cwl evict ${name}`);
	}
	await pi.command(`/cwl evict ${evicted}`);
	await pi.command("/cwl goal ship it");

	const path = /^cwl: notes are in (.*\.notes\.md): edit them and run this again\.$/.exec(
		textOf(await pi.command("/cwl notes")),
	)?.[1];
	const text = await readFile(path ?? "", "utf8");
	expect(text).toMatch(/\n## Goal\n\nship it\n/);
	for (const { name } of episodes) expect(text).toContain(`\n### ${name}\n`);
	const rewrite = (name: string, words: string) => (file: string) =>
		file.replace(new RegExp(`(### ${name}\\n\\n_.*_\\n\\n)[^]*?(?=\\n\\n<!--)`), `$1${words}`);
	const edited = [
		rewrite(evicted, "See the\nreadme."),
		rewrite(kept, "Nothing there."),
		rewrite("x", ""),
	].reduce((file, edit) => edit(file), text.replace("\nship it\n", "\nship it on Thursday\n"));
	await writeFile(path ?? "", `${edited}\n## Mine\n\nkeep me\n`);
	expect(textOf(await pi.command("/cwl notes"))).toMatch(
		/^cwl: took the goal and 2 descriptions from .*: they hold from now on; lines of evicted episodes change with the next request/,
	);
	expect(await readFile(path ?? "", "utf8")).toContain("\n## Mine\n\nkeep me\n");
	expect(textOf(await pi.command("/cwl notes"))).toMatch(/^cwl: notes are in /);

	await pi.prompt(trial.prompts[3] ?? "");
	const last = trial.requests
		.at(-1)
		?.messages.map(({ text: said }) => said)
		.join("\n");
	expect(last).toContain(`recall "${evicted}"] "See the\\nreadme."`);
	expect(last).toContain("ship it on Thursday");
	await pi.kill();

	const resumed = trial.rpc({ args: ["-c"], environment });
	await resumed.prompt(trial.prompts[4] ?? "");
	const state = await readState(resumed);
	const described = new Map(state.episodes.map(({ name, description }) => [name, description]));
	expect([described.get(evicted), described.get(kept)]).toEqual(["See the\nreadme.", "Nothing there."]);
	expect(state.goal).toEqual({ text: "ship it on Thursday", isDone: false });
	await resumed.command(`/cwl evict ${kept}`);
	expect(JSON.stringify((await readState(resumed)).passes)).toContain(kept);
	expect(trial.loopback.records().filter(({ refused }) => refused)).toEqual([]);
});

test("notes that cannot be read are left as they are, and nothing is taken from them", async () => {
	const trial = await startTrial({ model: () => ({ text: "ok" }) });
	const pi = trial.rpc();
	await pi.prompt("hello");
	await pi.command("/cwl goal ship it");
	const path = /notes are in (.*\.md)/.exec(textOf(await pi.command("/cwl notes")))?.[1] ?? "";
	const broken = (await readFile(path, "utf8"))
		.replace("ship it", "ship")
		.replace("## Episodes", "## Episodes\n\n### nobody\n");
	await writeFile(path, broken);
	expect(await pi.command("/cwl notes")).toEqual([
		{
			kind: "error",
			text: expect.stringMatching(
				/^cwl: the notes cannot be read, line \d+: no episode has the heading "nobody"/,
			),
		},
	]);
	expect(await readFile(path, "utf8")).toBe(broken);
	expect((await readState(pi)).goal?.text).toBe("ship it");
});

test("a session without a file has no notes", async () => {
	const trial = await startTrial({ model: () => ({ text: "ok" }) });
	const pi = trial.rpc({ args: ["--no-session"] });
	expect(textOf(await pi.command("/cwl notes"))).toMatch(/kept in memory only/);
});
