/** The tools of a session, with a count of the tokens that their use adds to the context. */
import * as host from "@mariozechner/pi-coding-agent";
import type { CountTokens } from "#pi";
import { formatGlobResult, formatGrepResult, type GrepRequest, glob, grep } from "#workspace";

export type Call =
	| {
			readonly name: "read";
			readonly arguments: { readonly path: string; readonly offset?: number; readonly limit?: number };
	  }
	| { readonly name: "bash"; readonly arguments: { readonly command: string } }
	| { readonly name: "glob"; readonly arguments: { readonly pattern: string } }
	| { readonly name: "grep"; readonly arguments: GrepRequest };

export interface Effort {
	readonly calls: number;
	/** Messages of the model with calls. */
	readonly steps: number;
	/** Of calls and results, in o200k tokens. */
	readonly tokens: number;
}

export interface CountingTools {
	/** Runs the calls of one message and returns their results in order. */
	readonly use: (...calls: readonly Call[]) => Promise<readonly string[]>;
	/** All results so far. */
	readonly seen: () => readonly string[];
	readonly effort: () => Effort;
}

export function createCountingTools(cwd: string, count: CountTokens): CountingTools {
	const read = host.createReadTool(cwd);
	const bash = host.createBashTool(cwd);
	const seen: string[] = [];
	let effort: Effort = { calls: 0, steps: 0, tokens: 0 };

	async function perform(call: Call): Promise<string> {
		switch (call.name) {
			case "read":
				return textOf(await read.execute("", call.arguments));
			case "bash":
				return textOf(await bash.execute("", call.arguments));
			case "glob":
				return formatGlobResult(await glob(call.arguments, { cwd }), count);
			case "grep":
				return formatGrepResult(await grep(call.arguments, { cwd }), count);
		}
	}

	return {
		async use(...calls) {
			const results: string[] = [];
			for (const call of calls) results.push(await perform(call));
			seen.push(...results);
			const tokens = [...calls.map((call) => JSON.stringify(call)), ...results].map(count);
			effort = {
				calls: effort.calls + calls.length,
				steps: effort.steps + 1,
				tokens: tokens.reduce((sum, more) => sum + more, effort.tokens),
			};
			return results;
		},
		seen: () => seen,
		effort: () => effort,
	};
}

function textOf({ content }: { readonly content: readonly { readonly type: string }[] }): string {
	return content.map((part) => ("text" in part ? String(part.text) : "")).join("\n");
}
