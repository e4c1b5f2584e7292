/** The problems of a run, as lines to print. */
import type { Report } from "./report.ts";

/** Lines of each list; `--json` has all of them. */
const SHOWN = 10;

/** Broken rules, damaged lines and files that were not replayed; empty when all went well. */
export function formatTrouble({ policies, damage, problems }: Report): readonly string[] {
	const violations = policies.flatMap(({ policy, violationExamples }) =>
		violationExamples.map(
			({ session, request, rule, detail }) => `${policy}: ${session} request ${request}: ${rule}: ${detail}`,
		),
	);
	const broken = policies.reduce((sum, policy) => sum + policy.violations, 0);
	const damaged = damage.map(({ place, reason }) => `${place}: ${reason}`);
	const failed = problems.map(({ message }) => message);
	return [
		...list("Violations", violations, broken),
		...list("Damaged lines", damaged, damaged.length),
		...list("Not replayed", failed, failed.length),
	];
}

function list(title: string, lines: readonly string[], total: number): readonly string[] {
	if (total === 0) return [];
	const shown = lines.slice(0, SHOWN).map((line) => `  ${line}`);
	const rest = total - shown.length;
	return [
		"",
		`${title}: ${total}`,
		...shown,
		...(rest > 0 ? [`  and ${rest} more (--json lists them)`] : []),
	];
}
