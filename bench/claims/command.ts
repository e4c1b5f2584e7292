/** `npm run bench -- claims`: the claims of the sources next to our figures. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CwlError } from "#pi";
import { readResults, writeResults } from "../results-file.ts";
import { formatClaims, type Results } from "./page.ts";
import { commandOf, runSource, type SourceName, sources } from "./sources.ts";

export const help = `npm run bench -- claims [PATH...]: every testable claim of the project's sources, our figure, and a verdict

  PATH                   recorded sessions, for the runs that replay some
  --run search,prompt    make these runs again and keep their figures in bench/results; all: every one
  --write                write docs/claims.md instead of printing it

The runs: ${Object.keys(sources).join(", ")}.
`;

const flags = {
	run: { type: "string" },
	write: { type: "boolean", default: false },
} as const;

const docs = join(import.meta.dirname, "..", "..", "docs");
const names = Object.keys(sources) as SourceName[];

/** Returns 0. @throws CwlError for wrong arguments, or when a run fails */
export async function run(argv: readonly string[]): Promise<number> {
	const { values, positionals } = parseArgs({ args: [...argv], options: flags, allowPositionals: true });
	for (const name of readNames(values.run)) {
		process.stderr.write(`${commandOf(name)}\n`);
		await writeResults(`claims-${name}`, commandOf(name), await runSource(name, positionals));
	}
	const kept = await readKept();
	if (!values.write) {
		process.stdout.write(formatClaims(kept));
		return 0;
	}
	await writeFile(join(docs, "claims.md"), formatClaims(kept));
	return 0;
}

/** The kept figures of every run. */
export async function readKept(): Promise<Results> {
	const kept = await Promise.all(
		names.map(async (name) => [name, await readResults(`claims-${name}`)] as const),
	);
	return Object.fromEntries(kept.filter(([, file]) => file !== undefined));
}

function readNames(text: string | undefined): readonly SourceName[] {
	if (text === undefined) return [];
	if (text === "all") return names;
	return text.split(",").map((word) => {
		const name = names.find((known) => known === word.trim());
		if (name) return name;
		throw new CwlError("bad-flag", `--run names ${JSON.stringify(word)}: use ${names.join(", ")} or all.`);
	});
}
