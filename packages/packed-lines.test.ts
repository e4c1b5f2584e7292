/** Lines that hold several things to save a line read badly: each property and each variable has its own. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const MAX_CHARS = 300;
/** `...{ a, b },` and `const [a, b] = [x, y];` */
const PACKED = [/^\s*\.\.\.[{[].*[}\]],$/, /^\s*(?:const|let) \[[^\]]*\](?:: \[.*\])? = \[.*\];$/];

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
	expect(placesOf((line) => PACKED.some((form) => form.test(line)))).toEqual([]);
});

test("no line of source is longer than 300 characters", () => {
	expect(placesOf((line) => line.length > MAX_CHARS)).toEqual([]);
});
