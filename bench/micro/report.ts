/** The figures of `npm run bench -- micro`, for people and for programs. */

import { markdownTable } from "#replay";
import type { Machine } from "../machine.ts";
import type { Row } from "./measure.ts";

export interface MicroReport {
	readonly version: 1;
	readonly date: string;
	readonly machine: Machine;
	readonly policy: string;
	/** Tokens. */
	readonly budget: number;
	readonly seed: number;
	/** Session by session, the shortest first. */
	readonly rows: readonly Row[];
}

const head = ["", "messages", "timed", "p50 ms", "p99 ms", "heap MB", "recounting / this"];

/** As Markdown. Ends with a newline. */
export function formatMicroReport({ date, machine, policy, budget, seed, rows }: MicroReport): string {
	const cells = rows.map(({ name, messages, samples, p50Ms, p99Ms, heapMb, ratio, isEstimate }) => [
		name,
		String(messages),
		String(samples),
		isEstimate ? `about ${Number(p50Ms.toPrecision(2))}` : milliseconds(p50Ms),
		isEstimate ? "" : milliseconds(p99Ms),
		heapMb === null ? "" : heapMb.toFixed(1),
		ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(0),
	]);
	return [
		`${date}; ${machine.cpu}, ${machine.cores} cores, ${machine.system}, Node ${machine.node}`,
		`Policy ${policy}, budget ${budget} tokens, seed ${seed}. A request: all that is added to it, but for the tokenizer.`,
		"",
		...markdownTable([head, ...cells]),
		"",
	].join("\n");
}

function milliseconds(value: number): string {
	return value.toFixed(value < 10 ? 2 : 0);
}
