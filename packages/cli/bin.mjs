#!/usr/bin/env node
// An installed package holds the build; a clone holds the TypeScript source, which jiti runs on every version of Node.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const isClone = existsSync(new URL("./main.ts", import.meta.url));
const { run } = isClone ? await importSource() : await import("../../dist/cli.mjs");
const exitCode = await run(process.argv.slice(2));
if (exitCode !== undefined) process.exitCode = exitCode;

async function importSource() {
	const { createJiti } = await import("jiti").catch(sayMissing);
	return createJiti(import.meta.url).import("./main.ts");
}

function sayMissing() {
	const clone = fileURLToPath(new URL("../..", import.meta.url));
	process.stderr.write(`cwl: its packages are not installed. Run: npm ci --prefix '${clone}'\n`);
	process.exit(2);
}
