import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, following, read, start } from "./test-support/following.ts";
import { readData } from "./test-support/session-entries.ts";
import { framesIn } from "./test-support/state.ts";
import { startTrial, type Trial, until } from "./test-support/trial.ts";

const names = ["a.txt", "b.txt", "c.txt", "d.txt"];
const content = (name: string) => `This is the whole content of ${name}.\n`;

/** Asked to look, it reads all files in an episode of its own and changes one by command; else it chats. */
const model = following((prompt) =>
	prompt === "look"
		? [
				{ calls: [start("find-all", "expl"), ...names.map((path) => read(path))] },
				{ calls: [call("bash", { command: "echo more >> d.txt" })] },
			]
		: undefined,
);

const told = (trial: Trial) => framesIn("changed-files", trial.requests.at(-1)?.messages);

test("what changed on disk since is shown to the user and told to the model, once; what the session itself did is no change", async () => {
	const trial = await startTrial({ model });
	for (const name of names) await writeFile(join(trial.work, name), content(name));
	const pi = trial.rpc();
	await pi.promptAll(["look", "hello"]);
	await pi.kill();
	const unchanged = trial.resume();
	await unchanged.prompt("hello");
	expect([told(trial), unchanged.notices()]).toEqual([[], []]);
	const entries = await readData(await unchanged.file(), "cwl.files");
	expect(entries).toHaveLength(2);
	expect(Object.keys(entries[1].files)).toEqual(["d.txt"]);
	await unchanged.kill();

	await writeFile(join(trial.work, "a.txt"), "Something else.\n");
	await rm(join(trial.work, "c.txt"));
	const resumed = trial.resume();
	await until(() => resumed.notices().length > 0);
	const changes = "2 files that this session knows have changed since: a.txt (changed), c.txt (deleted)";
	expect(resumed.notices()).toEqual([{ kind: "info", text: `cwl: ${changes}` }]);
	await resumed.prompt("hello");
	const text = `${changes}. What you saw of them may be out of date.`;
	expect(told(trial)).toEqual([text]);
	await resumed.prompt("hello");
	expect(told(trial)).toEqual([text]);
	await resumed.kill();

	const again = trial.resume();
	await again.prompt("hello");
	expect(told(trial)).toEqual([text]);
	expect(again.notices()).toEqual([]);
	expect(trial.breaks()).toEqual([]);
});
