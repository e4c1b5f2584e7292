/**
 * A deployment: a long log that the script of the scratch repository prints once. What the log says is on no disk
 * afterwards, and a second run does not repeat it.
 */

import { sum } from "#basics";
import type { Random } from "./random.ts";
import type { SourceFile } from "./storefront.ts";
import TEXTS from "./texts.json" with { type: "json" };

export type Deployment = ReturnType<typeof makeDeployment>;

/** About 6,500 tokens of log. */
const STEPS = { low: 178, high: 208 };
const { stages, nodes } = TEXTS.deployment;

export function makeDeployment(random: Random, label: string, name: string) {
	return {
		label,
		id: `d-${random.between(0x10_00_00_00, 0x7f_ff_ff_ff).toString(16)}`,
		/** The constant that the log advises to change, and its new value. */
		advice: { name, value: random.between(10_000, 99_999) },
		/** The milliseconds of each step. */
		steps: Array.from({ length: random.between(STEPS.low, STEPS.high) }, () => random.between(20, 9_900)),
	};
}

/** The id stands after two fifths of the log and the advice after four fifths: neither the head nor the tail has them. */
export function renderLog({ label, id, advice, steps }: Deployment): string {
	const lines = steps.map((took, index) => {
		const digits = String((took * 7_919 + index * 104_729) % 1_000_003).padStart(7, "0");
		const stage = stages[index % stages.length];
		const node = nodes[(took + index) % nodes.length];
		return `step ${index + 1} of ${steps.length}: ${stage} parts/chunk-${digits}.tar on node ${node}, ${took * 31 + index} bytes, took ${took} ms`;
	});
	lines.splice(
		Math.floor(0.8 * steps.length),
		0,
		`advice of ${label}: ${advice.name} should be ${advice.value}`,
	);
	lines.splice(Math.floor(0.4 * steps.length), 0, `${label} is registered as ${id}`);
	return [`deployment ${label} begins`, ...lines, `deployment ${label} is complete`, ""].join("\n");
}

/** Finds such lines in any text. */
export const ID_LINE = /[\w-]+ is registered as d-[0-9a-f]+/g;

/** The milliseconds of all steps of a log; undefined if the text does not hold all of it. */
export function sumLog(label: string, text: string): number | undefined {
	const start = text.indexOf(`deployment ${label} begins\n`);
	const end = text.indexOf(`deployment ${label} is complete`);
	if (start < 0 || end < start) return undefined;
	const steps = [...text.slice(start, end).matchAll(/^step \d+ of (\d+): .* took (\d+) ms$/gm)];
	if (steps.length === 0 || steps.length !== Number(steps[0]?.[1])) return undefined;
	return sum(steps, ([, , took]) => Number(took));
}

/** Prints the log that waits for a name and removes it: as a remote machine that keeps none. */
export const DEPLOY_SCRIPT: SourceFile = {
	path: "tools/deploy.sh",
	text: `#!/bin/sh
# Makes the deployment of that name. Each one is made once, and nobody keeps its log.
log=".git/remote/$1"
if [ ! -f "$log" ]; then
	echo "$1 does not wait to be deployed" >&2
	exit 1
fi
cat "$log" && rm "$log"
`,
};
