/**
 * Four ways of working, scripted. All know what to look for and differ in their tools; none uses anything that it
 * has not seen in a result.
 */
import * as host from "@mariozechner/pi-coding-agent";
import type { CountTokens } from "#pi";
import { formatGlobResult, formatGrepResult, type GrepRequest, glob, grep } from "#workspace";
import type { Question } from "./questions.ts";

type Call =
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

interface CountingTools {
	/** Runs the calls of one message and returns their results in order. */
	readonly use: (...calls: readonly Call[]) => Promise<readonly string[]>;
	/** All results so far. */
	readonly seen: () => readonly string[];
	readonly effort: () => Effort;
}

interface Way {
	readonly name: string;
	readonly answer: (question: Question, tools: CountingTools) => Promise<void>;
}

/** Lines to read at a time, from the start of a definition. */
const WINDOW = 60;
const EXPORT = "^export (default )?(async )?(function|class|const|interface|type) ";

const definitionOf = (symbol: string) => `(function|class) ${symbol}\\b`;
const quote = (text: string) => `'${text}'`;
const bash = (command: string): Call => ({ name: "bash", arguments: { command } });
/** An agent that finds a file in both source and build folder reads the source. */
const isCopy = (path: string) => path.startsWith("./build/");
const pathsIn = (text: string) => text.split("\n").filter((path) => path.startsWith("./") && !isCopy(path));

/** Finds files with the shell and reads them whole, as an agent without better tools does. */
const wholeFiles: Way = {
	name: "whole files",
	async answer(question, tools) {
		const [listed = ""] = await tools.use(bash(listFiles(question)));
		const paths = pathsIn(listed);
		if (paths.length > 0)
			await tools.use(...paths.map((path): Call => ({ name: "read", arguments: { path } })));
	},
};

/** Lines of a chunk; Codex told its model to read no larger ones (openai/codex, its system prompt of 2025). */
const CHUNK = 250;

/** Finds files with the shell and reads them in chunks from the start until the answer has ended, as Codex did. */
const chunkedReads: Way = {
	name: "chunked reads",
	async answer(question, tools) {
		const [listed = ""] = await tools.use(bash(listFiles(question)));
		for (const path of pathsIn(listed)) await readChunks(path, question, tools);
	},
};

async function readChunks(path: string, question: Question, tools: CountingTools): Promise<void> {
	const start = question.type === "definition" ? new RegExp(definitionOf(question.symbol)) : undefined;
	let seen = "";
	for (let first = 1; ; first += CHUNK) {
		const [text = ""] = await tools.use(bash(`sed -n ${quote(`${first},${first + CHUNK - 1}p`)} ${path}`));
		seen += `${text}\n`;
		const found = start ? seen.search(start) : -1;
		if (found >= 0 && /^\}/m.test(seen.slice(found))) return;
		if (text.split("\n").length < CHUNK) return;
	}
}

function listFiles(question: Question): string {
	switch (question.type) {
		case "definition":
			return `grep -rlE ${quote(definitionOf(question.symbol))} .`;
		case "uses":
			return `grep -rlw ${quote(question.symbol)} .`;
		case "exports":
			return `find . -type f -name ${quote(`*${question.word}*`)}`;
	}
}

/** Uses grep and find in the shell, and sed for the lines that they name. */
const shell: Way = {
	name: "shell grep and find",
	async answer(question, tools) {
		switch (question.type) {
			case "uses":
				await tools.use(bash(`grep -rnw ${quote(question.symbol)} .`));
				return;
			case "exports": {
				const [listed = ""] = await tools.use(bash(listFiles(question)));
				await tools.use(bash(`grep -nE ${quote(EXPORT)} ${pathsIn(listed).join(" ")}`));
				return;
			}
			case "definition": {
				const [hits = ""] = await tools.use(bash(`grep -rnE ${quote(definitionOf(question.symbol))} .`));
				for (const [, path = "", line = ""] of hits.matchAll(/^(\S+?):(\d+):/gm)) {
					if (isCopy(path)) continue;
					await readDefinition(tools, Number(line), (first) =>
						bash(`sed -n ${quote(`${first},${first + WINDOW - 1}p`)} ${path}`),
					);
				}
			}
		}
	},
};

/** The tools of this project. */
const ours: Way = {
	name: "glob, grep and read",
	async answer(question, tools) {
		switch (question.type) {
			case "uses":
				await tools.use({ name: "grep", arguments: { pattern: `\\b${question.symbol}\\b` } });
				return;
			case "exports": {
				const name = `*${question.word}*`;
				await tools.use({ name: "grep", arguments: { pattern: EXPORT, glob: name } });
				return;
			}
			case "definition": {
				const [hits = ""] = await tools.use({
					name: "grep",
					arguments: { pattern: definitionOf(question.symbol) },
				});
				for (const [, path = "", line = ""] of hits.matchAll(/^(\S+)\n(\d+): /gm)) {
					await readDefinition(tools, Number(line), (first) => ({
						name: "read",
						arguments: { path, offset: first, limit: WINDOW },
					}));
				}
			}
		}
	},
};

/** Reads on until the definition has ended. */
async function readDefinition(
	tools: CountingTools,
	start: number,
	read: (first: number) => Call,
): Promise<void> {
	for (let first = start; ; first += WINDOW) {
		const [text = ""] = await tools.use(read(first));
		if (/^\}/m.test(text) || text.trim() === "") return;
	}
}

export const ways: readonly Way[] = [wholeFiles, chunkedReads, shell, ours];

/** The tools of a session, with a count of the tokens that their use adds to the context. */
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
