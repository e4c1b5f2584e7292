/** docs/claims.md: the claims of the sources next to our figures, and the runs that the figures are from. */
import type { ResultsFile } from "../results-file.ts";
import type { Finding } from "./claim.ts";
import { claims } from "./claims.ts";
import { commandOf, type Figures, type SourceName, sources } from "./sources.ts";

export type Results = { readonly [Name in SourceName]?: ResultsFile<Figures[Name]> };

/** As Markdown. Ends with a newline. */
export function formatClaims(results: Results): string {
	const figures = figuresOf(results);
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

function figuresOf(results: Results): Partial<Figures> {
	return Object.fromEntries(Object.entries(results).map(([name, { figures }]) => [name, figures]));
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
	const names = Object.keys(sources) as SourceName[];
	const rows = names.map((name) => {
		const { date, commit } = results[name] ?? {};
		return [name, `\`${results[name]?.command ?? commandOf(name)}\``, date ?? "not run", commit ?? ""];
	});
	const machines = names.flatMap((name) => {
		const { machine } = results[name] ?? {};
		return machine ? [`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`] : [];
	});
	return [
		...new Set(machines),
		"",
		"| run | command | date | commit |",
		"|---|---|---|---|",
		...rows.map((row) => `| ${row.join(" | ")} |`),
	];
}
