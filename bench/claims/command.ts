/** `npm run bench -- claims`: docs/claims.md, the claims of the sources next to our figures, and the runs that the figures are from. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineBench } from "../bench.ts";
import { claims } from "./claims.ts";
import { ALL_RUNS, type Results, readResults, type Verdict } from "./figures.ts";

export const bench = defineBench({
	flags: { write: { type: "boolean", about: "write docs/claims.md as well" } },
	notes: "The figures are those in bench/results; the page lists the commands that made them.",
	async run({ values }) {
		const results = await readResults();
		const page = await formatClaims(results);
		if (values.write) await writeFile(join(import.meta.dirname, "..", "..", "docs", "claims.md"), page);
		return { figures: results, text: () => page };
	},
});

interface OpenClaim {
	readonly claim: string;
	readonly place: string;
	/** The answer that a run without a model can give. */
	readonly figure?: string;
}

/** As Markdown. Ends with a newline. */
export async function formatClaims(results: Results): Promise<string> {
	const open: readonly OpenClaim[] = JSON.parse(
		await readFile(join(import.meta.dirname, "needs-model.json"), "utf8"),
	);
	const rows = claims.map(({ claim, place, find, source }) => [claim, place, ...find(results), source]);
	const count = (verdict: Verdict) => rows.filter((row) => row.at(-2) === verdict).length;
	const files = ALL_RUNS.map((name) => ({ name, ...results[name] }));
	const machines = files.map(({ machine }) => `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`);
	const lines = [
		"# What the sources claim, and what we measure",
		"",
		`${rows.length + open.length} claims: ${count("reproduced")} reproduced, ${count("in part")} in part, ${count("contradicted")} contradicted, ${open.length} that no run without a model can decide.`,
		"",
		"Made by `npm run bench -- claims --write` from the runs below; no figure is typed. Sources: the paper (Semenov and Dorofeev,",
		"*Beyond Compaction*, 2026), an article on context windows, one on agent memory, and a page on faded memory. A scripted worker that",
		"knows only what each request holds does the tasks. In a replay, `90.4 % at 46.4 %` means the edits kept at this share of the cost of never evicting.",
		"",
		"| claim | where | our figure | verdict | run |",
		"|---|---|---|---|---|",
		...rows.map((row) => `| ${row.join(" | ")} |`),
		"",
		"## What only a model can decide",
		"",
		...open.map(({ claim, place, figure }) => `- ${claim} (${place})${figure ? `: ${figure}` : ""}`),
		"",
		"## The runs",
		"",
		...new Set(machines),
		"",
		"| run | command | date | commit |",
		"|---|---|---|---|",
		...files.map(({ name, command, date, commit }) => `| ${name} | \`${command}\` | ${date} | ${commit} |`),
	];
	return `${lines.join("\n").trimEnd()}\n`;
}
