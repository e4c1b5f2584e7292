/** Every example in docs/ is run. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSettings } from "#pi/settings";
import { end, following, read, start } from "./test-support/following.ts";
import { readData } from "./test-support/session-entries.ts";
import { readState } from "./test-support/state.ts";
import { PROJECT, startTrial } from "./test-support/trial.ts";

const folder = join(PROJECT, "docs");

/** The lines of all blocks of a language. */
async function examplesIn(file: string, language: string): Promise<readonly string[]> {
	const text = await readFile(join(folder, file), "utf8");
	return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, found, block = ""]) =>
		found === language ? [block] : [],
	);
}

async function linesIn(file: string, language: string): Promise<readonly string[]> {
	return (await examplesIn(file, language)).flatMap((block) =>
		block.split("\n").filter((line) => line !== ""),
	);
}

const names = (text: string) => [...text.matchAll(/\/cwl ([a-z]+)/g)].map(([, name = ""]) => name);

test("examples of settings.md, of files and of the environment, are taken without a complaint", async () => {
	const trial = await startTrial();
	await mkdir(join(trial.work, ".pi"));
	const examples = await examplesIn("settings.md", "json");
	const environment = Object.fromEntries(
		(await linesIn("settings.md", "environment")).map((line) => {
			const at = line.indexOf("=");
			return [line.slice(0, at), line.slice(at + 1)];
		}),
	);
	expect(examples.length).toBeGreaterThan(2);
	for (const example of examples) {
		await writeFile(join(trial.work, ".pi", "settings.json"), example);
		for (const variables of [{}, environment]) {
			const sources = { cwd: trial.work, environment: { ...trial.environment(), ...variables }, flags: {} };
			const { problems, origins } = loadSettings(sources);
			expect(problems).toEqual([]);
			expect(Object.values(origins).some((origin) => origin !== "default")).toBe(true);
		}
	}
});

/** Finds something out in an episode `find-limits` when it is asked to, and chats otherwise. */
const worker = following((prompt) =>
	prompt === "find the limits"
		? [
				{ calls: [start("find-limits", "expl"), read("big.txt", { offset: 1 })] },
				{ calls: [end("MOST is 7")] },
			]
		: undefined,
);

const lines = Array.from({ length: 200 }, (_, at) => `MOST_${at} = ${at}`).join("\n");

test("every command of commands.md does what it is asked, and none of ours is missing there", async () => {
	const trial = await startTrial({ model: worker, files: { "big.txt": lines } });
	const pi = trial.rpc();
	await pi.promptAll(["find the limits", "go on", "go on"]);
	const commands = await linesIn("commands.md", "cwl");
	for (const command of commands) {
		const answer = await pi.command(command);
		expect.soft([command, answer.map(({ kind }) => kind)]).toEqual([command, ["info"]]);
	}
	const known = new Set(names(await pi.answer("/cwl nonsense")));
	known.delete("nonsense");
	expect([...known].filter((name) => !names(commands.join("\n")).includes(name))).toEqual([]);
	await pi.kill();

	for (const line of await linesIn("commands.md", "sh")) {
		const words = [...line.replace("~/.pi/agent", trial.agent).matchAll(/'([^']*)'|(\S+)/g)];
		const args = words.map(([, quoted, plain]) => quoted ?? plain ?? "");
		expect(args[0]).toBe("cwl");
		const { code, stderr } = await trial.run(args.slice(1));
		expect.soft([line, code, code === 0 ? "" : stderr]).toEqual([line, 0, ""]);
	}
});

test("the listener of health.md hears what it says that it hears", async () => {
	const [listener = ""] = await examplesIn("health.md", "js");
	const trial = await startTrial({ model: worker, files: { "big.txt": lines } });
	await writeFile(join(trial.directory, "listener.mjs"), listener);
	const pi = trial.rpc({ args: ["-e", join(trial.directory, "listener.mjs")] });
	await pi.promptAll(["find the limits", "go on"]);
	for (const command of ["/cwl evict find-limits", "/cwl recall find-limits", "/cwl settings budget 2k"]) {
		await pi.command(command);
	}
	await pi.prompt(`go on with this: ${"word ".repeat(1_000)}`);
	expect((await readState(pi)).alerts.length).toBeGreaterThan(0);
	const seen = await readData(await pi.file(), "seen");
	expect(seen).toContainEqual({ name: "cwl:recall", by: "user", query: "find-limits" });
	expect(seen).toContainEqual({ name: "cwl:pass", before: expect.any(Number), after: expect.any(Number) });
	expect(seen).toContainEqual({ name: "cwl:alert", grade: expect.any(String), text: expect.any(String) });
});

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): readonly string[] {
	return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\- ]/gu, "")
			.replaceAll(" ", "-"),
	);
}

test("no page links to a file or a heading that is not there, or lets npx fetch a stranger's package", async () => {
	const pages = (await readdir(folder))
		.filter((name) => name.endsWith(".md"))
		.map((name) => join("docs", name));
	const others = ["README.md", "SECURITY.md", "CHANGELOG.md", "AGENTS.md", "bench/README.md"];
	for (const file of [...pages, ...others]) {
		const text = await readFile(join(PROJECT, file), "utf8");
		expect.soft(text, file).not.toMatch(/npx (?:--yes |-y )?cwl/);
		for (const [, target = "", anchor] of text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
			const path = target === "" ? file : join(file, "..", target);
			const linked = await readFile(join(PROJECT, path), "utf8").catch(() => undefined);
			expect.soft(linked, `${file}: ${target}`).toBeDefined();
			if (anchor) expect.soft(anchorsOf(linked ?? ""), `${file}: ${target}#${anchor}`).toContain(anchor);
		}
	}
});
