import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelReply, ModelRequest } from "#loopback";
import { startTrial, type Trial, until } from "./test-support/trial.ts";

const names = ["a.txt", "b.txt", "c.txt", "d.txt"];
const content = (name: string) => `This is the whole content of ${name}.\n`;

/** Asked to look, it reads all files in an episode of its own and changes one by command; else it chats. */
function model({ messages }: ModelRequest): ModelReply {
	const asked = messages.findLastIndex(({ type, text }) => type === "user" && !text.startsWith("<"));
	if (messages[asked]?.text !== "look") return { text: "ok" };
	const done = messages.slice(asked).filter(({ type }) => type === "assistant").length;
	const start = { action: "start", name: "find-all", type: "expl" };
	const reads = names.map((path) => ({ name: "read", arguments: { path } }));
	if (done === 0) return { calls: [{ name: "delimiter", arguments: start }, ...reads] };
	if (done === 1) return { calls: [{ name: "bash", arguments: { command: "echo more >> d.txt" } }] };
	return { text: "done" };
}

function told(trial: Trial): readonly string[] {
	const texts = (trial.requests.at(-1)?.messages ?? []).map(({ text }) => text);
	return texts.flatMap((text) => /<changed-files \d{6}>\n([\s\S]*)\n<\/changed-files>/.exec(text)?.[1] ?? []);
}

async function startLooking(): Promise<Trial> {
	const trial = await startTrial({ model });
	for (const name of names) await writeFile(join(trial.work, name), content(name));
	const pi = trial.rpc();
	await pi.prompt("look");
	await pi.prompt("hello");
	await pi.kill();
	return trial;
}

test("what changed on disk since is shown to the user and told to the model, once", async () => {
	const trial = await startLooking();
	expect(told(trial)).toEqual([]);
	await writeFile(join(trial.work, "a.txt"), "Something else.\n");
	await rename(join(trial.work, "b.txt"), join(trial.work, "moved.txt"));
	await rm(join(trial.work, "c.txt"));
	const resumed = trial.rpc({ args: ["-c"] });
	await until(() => resumed.notices().length > 0);
	expect(resumed.notices()).toEqual([
		{
			kind: "info",
			text: "cwl: 3 files that this session knows have changed since: a.txt (changed), b.txt -> moved.txt (renamed), c.txt (deleted)",
		},
	]);
	await resumed.prompt("hello");
	const text = [
		"3 files that this session knows have changed on disk since; what you saw of them may be out of date:",
		"changed a.txt, known from find-all",
		"renamed b.txt -> moved.txt, known from find-all",
		"deleted c.txt, known from find-all",
	].join("\n");
	expect(told(trial)).toEqual([text]);
	await resumed.prompt("hello");
	expect(told(trial)).toEqual([text]);
	await resumed.kill();

	const again = trial.rpc({ args: ["-c"] });
	await again.prompt("hello");
	expect(told(trial)).toEqual([text]);
	expect(again.notices()).toEqual([]);
	const records = trial.loopback.records();
	expect(records.filter(({ extendsPrevious, refused }) => !extendsPrevious || refused)).toEqual([]);
});

test("entries are few and small, and what a command of the session did is no difference", async () => {
	const trial = await startLooking();
	const resumed = trial.rpc({ args: ["-c"] });
	await resumed.prompt("hello");
	expect([told(trial), resumed.notices()]).toEqual([[], []]);
	const lines = (await readFile(await resumed.file(), "utf8")).split("\n");
	const entries = lines.filter((line) => line.includes('"customType":"cwl.files"'));
	expect(entries).toHaveLength(2);
	expect(entries.join("").length).toBeLessThan(1_000);
	expect(Object.keys(JSON.parse(entries[1] ?? "").data.files)).toEqual(["d.txt"]);
});
