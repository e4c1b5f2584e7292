/**
 * Four ways of working, scripted. All know what to look for and differ in their tools; none uses anything that it
 * has not seen in a result.
 */
import type { Call, CountingTools } from "./counting-tools.ts";
import type { Question } from "./questions.ts";

export interface Way {
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
