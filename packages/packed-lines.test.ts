/** Lines that hold several things to save a line read badly: each property and each variable has its own. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const MAX_CHARS = 300;
/** `...{ a, b },` and `const [a, b] = [x, y];` */
const PACKED = [/^\s*\.\.\.[{[].*[}\]],$/, /^\s*(?:const|let) \[[^\]]*\](?:: \[.*\])? = \[.*\];$/];
/** Folders that still have such lines in their sources. */
const STILL_PACKED = ["bench/"];

const sources = execFileSync("git", ["ls-files", "*.ts"], { cwd: root, encoding: "utf8" })
	.split("\n")
	.filter(
		(path) => /^(?:packages|extensions|bench)\//.test(path) && !/\.test\.ts$|\/test-support\//.test(path),
	);

/** The places of the lines of all sources for which a test holds. */
function placesOf(isWrong: (line: string) => boolean): readonly string[] {
	return sources.flatMap((path) =>
		readFileSync(resolve(root, path), "utf8")
			.split("\n")
			.flatMap((line, at) => (isWrong(line) ? [`${path}:${at + 1}`] : [])),
	);
}

test("no line packs several properties or variables", () => {
	const places = placesOf((line) => PACKED.some((form) => form.test(line)));
	expect(places.filter((place) => !STILL_PACKED.some((folder) => place.startsWith(folder)))).toEqual([]);
});

test("no line of source is longer than 300 characters", () => {
	expect(placesOf((line) => line.length > MAX_CHARS)).toEqual([]);
});
