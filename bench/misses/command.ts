/** `npm run bench -- misses`: needs kept, misses and costs of policies in reports of `cwl replay --json`, with intervals. */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { fileError, type Report } from "#lab";
import { CwlError } from "#pi";
import { type Figures, missFigures } from "./figures.ts";
import { formatMisses } from "./table.ts";

export const help = `npm run bench -- misses FILE...: what policies keep, miss and cost, with 95 % intervals over sessions, with
and without the session in which cwl misses most

  FILE    a report of cwl replay --json, one for each budget
  --json  figures as JSON
`;

const flags = { json: { type: "boolean", default: false } } as const;

/** Runs the bench and returns 0. @throws CwlError for a file that is no such report */
export async function run(argv: readonly string[]): Promise<number> {
	const { values, positionals } = parseArgs({ args: [...argv], options: flags, allowPositionals: true });
	if (positionals.length === 0) {
		throw new CwlError("no-report", "name reports: cwl replay DIR --json > report.json makes one.");
	}
	const figures: Figures[] = [];
	for (const path of positionals) figures.push(missFigures(await readReport(path)));
	process.stdout.write(values.json ? `${JSON.stringify(figures)}\n` : formatMisses(figures));
	return 0;
}

async function readReport(path: string): Promise<Report> {
	const text = await readFile(path, "utf8").catch((error: unknown) => {
		throw fileError(path, error);
	});
	try {
		const report: Report = JSON.parse(text);
		if (report.version === 1 && report.policies.length > 0) return report;
	} catch {}
	throw new CwlError("bad-report", `${path} holds no report of cwl replay --json; run the replay again.`);
}
