import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const project = fileURLToPath(new URL("../../..", import.meta.url));

/** The Messages API's own request body, which is no message of pi's. */
const providerBodies = ["packages/pi/requests/cache-breakpoints.ts"];

/** Names that occur only in pi's messages and their blocks. */
const inside =
	/\.role\b|\bstopReason\b|"(?:toolResult|toolCall|bashExecution|branchSummary|compactionSummary)"|\bblock\.type\b/;

function sourcesIn(folder: string): readonly string[] {
	return readdirSync(join(project, folder), { recursive: true, encoding: "utf8" })
		.map((name) => `${folder}/${name}`)
		.filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.includes("/test-support/"));
}

test("only packages/pi/codec looks into pi's messages", () => {
	const sources = [...sourcesIn("packages/pi"), ...sourcesIn("extensions/cwl")].filter(
		(path) => !path.startsWith("packages/pi/codec/") && !providerBodies.includes(path),
	);
	expect(sources.length).toBeGreaterThan(100);
	const found = sources.flatMap((path) =>
		readFileSync(join(project, path), "utf8")
			.split("\n")
			.flatMap((line, at) => (inside.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
	);
	expect(found).toEqual([]);
});
