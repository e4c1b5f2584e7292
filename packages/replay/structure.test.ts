import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** In the order of the data: a folder imports only those before it. */
const folders = [
	...["readers", "recording", "policies", "metrics"],
	...["run", "report", "session-report", "pages"],
];

test.each(folders)("%s imports only folders that come before it in the order of the data", (folder) => {
	const directory = fileURLToPath(new URL(folder, import.meta.url));
	const files = readdirSync(directory).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
	const imported = files.flatMap((name) => {
		const source = readFileSync(`${directory}/${name}`, "utf8");
		return [...source.matchAll(/from "\.\.\/([\w-]+)\//g)].map(([, other = ""]) => other);
	});
	const allowed = folders.slice(0, folders.indexOf(folder));
	expect(imported.filter((other) => !allowed.includes(other))).toEqual([]);
});
