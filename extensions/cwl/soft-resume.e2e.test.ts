import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readState, textOf } from "./test-support/state.ts";
import { until } from "./test-support/trial.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

const environment = { CWL_BUDGET: "40k" };

test("cwl resume --soft begins a fresh session from goal, user turns, episode lines and files, and leaves the old one", async () => {
	const trial = await startWorkTrial(3, 4);
	const pi = trial.rpc({ environment });
	await pi.command("/cwl brief goal ship it");
	await pi.command("/cwl settings budget 38k");
	await pi.promptAll(trial.prompts.slice(0, 3));
	const { episodes } = await readState(pi);
	const old = await pi.file();
	await pi.kill();
	const bytes = await readFile(old, "utf8");
	const size = trial.loopback.records().at(-1)?.promptTokens ?? 0;
	const [touched = ""] = /"path":"(src\/[^"]+)"/.exec(bytes)?.slice(1) ?? [];
	await writeFile(join(trial.work, touched), "gone\n");

	const soft = trial.rpc({ args: ["resume", "--soft"], environment });
	await until(() => soft.notices().length >= 2);
	expect(textOf(soft.notices())).toMatch(
		/^cwl: a fresh session goes on from .* with 3 user turns and the lines of \d+ episodes\.$/m,
	);
	expect(textOf(soft.notices())).toContain(
		`1 file that this session knows has changed since: ${touched} (changed)`,
	);
	expect(await soft.file()).not.toBe(old);
	await soft.prompt(trial.prompts[3] ?? "");
	const at = trial.requests.findIndex(({ messages }) =>
		JSON.stringify(messages).includes("<earlier-session>"),
	);
	const first = trial.requests[at];
	const texts = (first?.messages ?? []).map(({ text }) => text);
	expect(texts.slice(0, 3)).toEqual(trial.prompts.slice(0, 3));
	const marked = episodes.filter(({ origin }) => origin === "declared");
	expect(marked.length).toBeGreaterThan(3);
	const expls = marked.filter(({ kind }) => kind === "expl").map(({ name }) => name);
	for (const { name } of marked) expect(texts[3]).toContain(JSON.stringify(name));
	expect(texts.join("\n")).toMatch(/<goal \d{6}>\n[\s\S]*\nship it\n<\/goal>/);
	expect(texts.join("\n")).toContain(`${touched} (changed). What you saw`);
	expect(first?.messages.filter(({ type }) => type !== "user")).toEqual([]);
	const state = await readState(soft);
	expect(state.settings.budget).toBe("38k");
	expect(trial.loopback.records()[at]?.promptTokens).toBeLessThan(size);
	expect(await readFile(old, "utf8")).toBe(bytes);
	const asked = expls[0] ?? "";
	const brought = await soft.command(`/cwl recall ${asked}`);
	expect(textOf(brought)).toMatch(/^cwl: recalled .* tokens\): the model sees it with the next request\.$/);
	await soft.prompt("Thank you.");
	const recalled =
		trial.requests.at(-1)?.messages.find(({ text }) => text.startsWith("Brought back by"))?.text ?? "";
	expect(recalled).toContain(`recall ${JSON.stringify(asked)}: closed expl`);
	const shown = trial.requests
		.flatMap(({ messages }) => messages)
		.find(({ type, text }) => type === "result" && text.length > 200);
	expect(recalled).toContain(shown?.text.split("\n")[0] ?? "nothing");
	await soft.kill();

	const again = trial.rpc({ args: ["resume"], environment });
	expect(await again.file()).not.toBe(old);
	await again.prompt("Thank you.");
	expect(trial.sent().slice(0, 3)).toEqual(trial.prompts.slice(0, 3));
});

test("cwl memory brief writes and reads back the brief of a session that is closed", async () => {
	const trial = await startWorkTrial(3, 2);
	const pi = trial.rpc({ environment });
	await pi.prompt(trial.prompts[0] ?? "");
	const { episodes } = await readState(pi);
	const file = await pi.file();
	await pi.kill();
	const { stdout } = await trial.run(["memory", "brief"]);
	const path = /^the brief is in (.*\.md): /.exec(stdout)?.[1] ?? "";
	expect(path).toBe(file.replace(".jsonl", ".brief.md"));
	const text = await readFile(path, "utf8");
	await writeFile(path, text.replace("### Goal\n", "### Goal\n\nship it\n"));
	expect((await trial.run(["memory", "brief", file])).stdout).toBe(
		`took the goal from ${path}, which holds from now on.\n`,
	);
	const json = await trial.run(["memory", "brief", file, "--json"]);
	expect(JSON.parse(json.stdout)).toMatchObject({
		goal: "ship it",
		successCriteria: ["ship it"],
		nextSteps: [],
	});
	const resumed = trial.resume({ environment });
	expect(await resumed.answer("/cwl brief goal")).toBe(
		"cwl: the model sees the goal until /cwl brief goal done: ship it",
	);
	await resumed.prompt(trial.prompts[1] ?? "");
	expect((await readState(resumed)).episodes.slice(0, episodes.length).map(({ name }) => name)).toEqual(
		episodes.map(({ name }) => name),
	);
});
