import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A file of this repository, as pages name it. */
const NAMED = /`((?:packages|extensions|bench|docs|prompts)\/[\w./-]+\.\w+)`/g;

test("each file that a page names is there", () => {
	const pages = execFileSync("git", ["ls-files", "-z", "*.md"], { cwd: root, encoding: "utf8" }).split("\0");
	const named = pages
		.filter((page) => page !== "" && existsSync(`${root}${page}`))
		.flatMap((page) =>
			[...readFileSync(`${root}${page}`, "utf8").matchAll(NAMED)].map(([, file = ""]) => ({ page, file })),
		);
	expect(named.length).toBeGreaterThan(10);
	expect(named.filter(({ file }) => !existsSync(`${root}${file}`))).toEqual([]);
});
