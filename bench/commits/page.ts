/** The figures of a chain as a table. */
import { markdownTable } from "#replay";
import type { ChainReport } from "./command.ts";

/** As Markdown. Ends with a newline. */
export function formatChain({
	repository,
	hashes: [first, last],
	commits,
	files,
	passedOver,
	runs,
}: ChainReport): string {
	const head = [
		...[
			"condition",
			"commits made",
			"cost",
			"cost compared with compaction",
			"requests",
			"tokens",
			"largest request",
		],
		...["files read", "modeled minutes"],
	];
	const compaction = runs.find(({ name }) => name.startsWith("compaction"))?.cost.anthropic;
	const rows = runs.map(({ name, solved, tasks, cost, requests, tokensProcessed, peakContext, ...rest }) => [
		name,
		`${solved} of ${tasks}`,
		cost.anthropic === null ? "-" : `$${cost.anthropic.toFixed(2)}`,
		compaction && cost.anthropic !== null ? `${((100 * cost.anthropic) / compaction).toFixed(0)} %` : "-",
		String(requests),
		`${(tokensProcessed / 1e6).toFixed(1)}M`,
		`${(peakContext / 1_000).toFixed(0)}k`,
		String(rest.reads),
		((rest.modeledSeconds ?? 0) / 60).toFixed(0),
	]);
	return [
		`${repository}: ${commits} commits from ${first.slice(0, 10)} to ${last.slice(0, 10)}, ${files} files; ${passedOver} commits between them were made by others.`,
		"",
		...markdownTable([head, ...rows]),
		"",
	].join("\n");
}
