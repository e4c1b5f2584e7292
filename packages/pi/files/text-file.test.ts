import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import { briefPath, loadBrief, readBrief, writeBrief } from "../brief/brief-file.ts";
import { loadSettings } from "../settings/load-settings.ts";
import { readTextFile, replaceTextFile } from "./text-file.ts";

const placed: readonly (readonly [what: string, place: (path: string) => void, reason: string])[] = [
	["a pipe", (path) => execFileSync("mkfifo", [path]), "not a regular file"],
	["a link to a device", (path) => symlinkSync("/dev/zero", path), "not a regular file"],
	["a folder", (path) => execFileSync("mkdir", [path]), "not a regular file"],
	[
		"a huge file",
		(path) => {
			writeFileSync(path, "");
			truncateSync(path, 2 ** 33);
		},
		"larger than 16777216 bytes",
	],
];

test.each(placed)(
	"%s in the place of settings or a brief is told, and is not read",
	async (_, place, reason) => {
		const folder = createScratch();
		const path = join(folder, "settings.json");
		place(path);
		expect(() => readTextFile(path)).toThrow(reason);
		const environment = { PI_CODING_AGENT_DIR: folder };
		const { problems } = loadSettings({ cwd: join(folder, "none"), environment, flags: {} });
		expect(problems).toEqual([`${path}: cannot be read (${reason}).`]);
		const session = join(folder, "s.jsonl");
		place(briefPath(session));
		expect(() => readBrief(session)).toThrow(`${briefPath(session)} cannot be read (${reason}).`);
		const reported = loadBrief(session, { id: "s", cwd: "/w", branch: [] });
		expect(reported?.problem).toBe(`${briefPath(session)}: ${reason}`);
	},
);

test("a link to a file is followed, and a file that is not there has no text", () => {
	const folder = createScratch();
	writeFileSync(join(folder, "file"), "text");
	symlinkSync("file", join(folder, "link"));
	expect(readTextFile(join(folder, "link"))).toBe("text");
	expect(readTextFile(join(folder, "none"))).toBeUndefined();
	expect(readTextFile(join(folder, "file", "below"))).toBeUndefined();
});

test("a link in the place of a file that is written changes nothing where it leads to", async () => {
	const folder = createScratch();
	const other = join(folder, "other");
	writeFileSync(other, "not yours");
	const path = join(folder, "s.brief.md");
	symlinkSync(other, path);
	await writeBrief(join(folder, "s.jsonl"), "one");
	expect(readFileSync(path, "utf8")).toBe("one");
	expect(readFileSync(other, "utf8")).toBe("not yours");
	expect(readdirSync(folder).toSorted()).toEqual(["other", "s.brief.md"]);
});

test("a draft of another process is left alone, and a file that is not wanted any more leaves none", () => {
	const path = join(createScratch(), "file");
	writeFileSync(`${path}.new`, "half of");
	expect(replaceTextFile(path, "whole")).toBe(true);
	expect(replaceTextFile(path, "late", { isWanted: () => false })).toBe(false);
	expect([path, `${path}.new`].map((file) => readFileSync(file, "utf8"))).toEqual(["whole", "half of"]);
	expect(readdirSync(dirname(path))).toHaveLength(2);
});

test.each(placed.filter(([what]) => what === "a pipe" || what === "a folder"))(
	"%s is not replaced, and no draft of the file stays",
	(_, place, reason) => {
		const path = join(createScratch(), "file");
		place(path);
		expect(() => replaceTextFile(path, "text")).toThrow(reason);
		expect(readdirSync(dirname(path))).toEqual(["file"]);
	},
);
