/** `npm run bench -- claims`: docs/claims.md, the claims of the sources next to our figures, and the runs that the figures are from. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineBench } from "../bench.ts";
import type { Finding } from "./claim.ts";
import { claims } from "./claims.ts";
import { ALL_RUNS, type Figures, type Results, readKept } from "./sources.ts";

export const bench = defineBench({
	flags: { write: { type: "boolean", about: "write docs/claims.md as well" } },
	notes: "The figures are those in bench/results; the page lists the commands that made them.",
	async run({ values }) {
		const kept = await readKept();
		const page = formatClaims(kept);
		if (values.write) await writeFile(join(import.meta.dirname, "..", "..", "docs", "claims.md"), page);
		return { figures: kept, text: () => page };
	},
});

/** As Markdown. Ends with a newline. */
export function formatClaims(results: Results): string {
	const figures: Partial<Figures> = Object.fromEntries(
		Object.entries(results).map(([name, file]) => [name, file.figures]),
	);
	const found = claims.map((claim) => ({ ...claim, finding: claim.find(figures) }));
	const needsModel = found.filter(({ finding }) => finding?.verdict === "needs a model");
	const rows = found
		.filter((claim) => !needsModel.includes(claim))
		.map(({ place, claim, source, finding }) => [
			...[claim, place, finding?.figure ?? "not measured yet"],
			...[finding?.verdict ?? "open", source ?? ""],
		]);
	const lines = [
		"# What the sources claim, and what we measure",
		"",
		summarize(found.map(({ finding }) => finding)),
		"",
		"Made by `npm run bench -- claims --write` from the runs below; no figure is typed. Sources: the paper (Semenov and Dorofeev,",
		"*Beyond Compaction*, 2026), an article on context windows, one on agent memory, and a page on faded memory.",
		"",
		"| claim | where | our figure | verdict | run |",
		"|---|---|---|---|---|",
		...rows.map((row) => `| ${row.join(" | ")} |`),
		"",
		"## What only a model can decide",
		"",
		...needsModel.map(({ claim, place, finding }) => `- ${claim} (${place}): ${finding?.figure ?? ""}`),
		"",
		"## The runs",
		"",
		...formatRuns(results),
	];
	return `${lines.join("\n").trimEnd()}\n`;
}

function summarize(findings: readonly (Finding | undefined)[]): string {
	const count = (verdict: Finding["verdict"] | undefined) =>
		findings.filter((finding) => finding?.verdict === verdict).length;
	const open = count(undefined);
	return [
		`${findings.length} claims: ${count("reproduced")} reproduced, ${count("in part")} in part, ${count("contradicted")} contradicted,`,
		`${count("needs a model")} that no run without a model can decide${open > 0 ? `, ${open} not measured yet` : ""}.`,
	].join(" ");
}

function formatRuns(results: Results): readonly string[] {
	const files = ALL_RUNS.flatMap((name) => {
		const file = results[name];
		return file ? [{ name, ...file }] : [];
	});
	const machines = files.map(({ machine }) => `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`);
	return [
		...new Set(machines),
		"",
		"| run | command | date | commit |",
		"|---|---|---|---|",
		...files.map(({ name, command, date, commit }) => `| ${name} | \`${command}\` | ${date} | ${commit} |`),
	];
}
