/** A short history in which files are changed in several places, removed and added. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createRepository, git, writeTree } from "../../../packages/workspace/test-support/scratch.ts";

const source = (name: string) =>
	Array.from({ length: 60 }, (_, line) => `export const ${name}${line} = ${line};\n`).join("");
/** The source with a replaced line, and one that is added. */
const changed = (name: string) =>
	source(name).replace(" = 9;", " = 10;").replace(" = 20;\n", " = 20;\n// The middle.\n");

const added = ["cost.ts", "cost.test.ts", "list.ts", "prices.ts", "prices.test.ts", "tiers.ts"];

/** The files of each commit; those without a text are removed. */
const commits: readonly Readonly<Record<string, string>>[] = [
	{ "prices.ts": source("price"), "read-prices.ts": source("read") },
	{ "prices.ts": changed("price") },
	{ "prices.ts": "", "read-prices.ts": "" },
	Object.fromEntries(added.map((file, index) => [`prices/${file}`, source(`part${index}_`)])),
	{ "prices/list.ts": changed("part2_") },
];

/** A repository of five commits, of which the last four can be made again. */
export function createSample(): string {
	const folder = createRepository();
	for (const [number, files] of commits.entries()) {
		writeTree(folder, files);
		for (const [path, text] of Object.entries(files)) if (text === "") rmSync(join(folder, path));
		git(folder, "add", "--all");
		git(folder, "commit", "--quiet", `--message=feat: step ${number} of the prices`);
	}
	return folder;
}
