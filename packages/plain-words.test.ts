import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A line of a doc comment that opens like a question instead of stating what the code returns or does. */
const QUESTION = /^[ \t]*(?:\/\*\*|\*)[ \t]+(?:What|Whether|Who)\b.*/gm;

function questionsIn(text: string): readonly string[] {
	return [...text.matchAll(QUESTION)].map(([comment]) => comment.trim());
}

test("no line of a doc comment opens with What, Whether or Who", () => {
	const files = execFileSync("git", ["ls-files", "-z", "*.ts"], { cwd: root, encoding: "utf8" })
		.split("\0")
		.filter((file) => file !== "" && existsSync(`${root}${file}`));
	expect(files.length).toBeGreaterThan(100);
	const found = files.flatMap((file) =>
		questionsIn(readFileSync(`${root}${file}`, "utf8")).map((comment) => `${file}: ${comment}`),
	);
	expect(found, 'say it instead: "Returns true if ...", "The tokens that ..."').toEqual([]);
});

test.each([
	["/**", " Whether it fits. */"],
	["\t/**", " What it holds. */"],
	["/**\n *", " Who asks."],
	[" *", " What a line begins with."],
])("%j%j is found", (opening, words) => {
	expect(questionsIn(`${opening}${words}`)).toHaveLength(1);
});

test("plain comments and other uses of the words are not found", () => {
	expect(questionsIn("/** Returns true if it fits, whatever was sent. */\n// What is next")).toEqual([]);
});
