/** The figures of `cwl bench micro`, for people and for programs. */

import type { Machine } from "../machine.ts";
import { markdownTable } from "../markdown.ts";
import type { Figures } from "./measure.ts";

export interface MicroReport {
	readonly version: 1;
	readonly date: string;
	readonly machine: Machine;
	readonly policy: string;
	/** Tokens. */
	readonly budget: number;
	readonly seed: number;
	/** By rising length. */
	readonly sessions: readonly Figures[];
}

const head = [
	"messages",
	"a request",
	"p99",
	"tokenizing",
	"passes",
	"a pass",
	"recounting",
	"recounting / request",
];

/** As Markdown. Ends with a newline. */
export function formatMicroReport({ date, machine, policy, budget, seed, sessions }: MicroReport): string {
	const rows = sessions.map(({ messages, request, tokenizing, passes, pass, recounting }) => [
		String(messages),
		milliseconds(request.median),
		milliseconds(request.p99),
		milliseconds(tokenizing.median),
		String(passes),
		pass ? milliseconds(pass.median) : "-",
		milliseconds(recounting),
		Math.round(recounting / request.median).toString(),
	]);
	return [
		`${date}; ${machine.cpu}, ${machine.cores} cores, ${machine.system}, Node ${machine.node}`,
		`Policy ${policy}, budget ${budget} tokens, seed ${seed}; ms, medians of the last requests, the tokenizer told apart.`,
		"",
		...markdownTable([head, ...rows]),
		"",
	].join("\n");
}

function milliseconds(value: number): string {
	return value.toFixed(value < 10 ? 2 : 0);
}
