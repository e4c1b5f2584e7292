/**
 * Three ways of working, each as sure of itself as the others: they know what to look for, and differ in what they
 * look with. None of them may use what it has not seen in a result.
 */
import type { Call, Hands } from "./counting-tools.ts";
import type { Question } from "./questions.ts";

export interface Way {
	readonly name: string;
	readonly answer: (question: Question, hands: Hands) => Promise<void>;
}

/** Lines that are read around a definition before the rest of it is asked for. */
const WINDOW = 60;
const EXPORT = "^export (default )?(async )?(function|class|const|interface|type) ";

const definitionOf = (symbol: string) => `(function|class) ${symbol}\\b`;
const quote = (text: string) => `'${text}'`;
const bash = (command: string): Call => ({ name: "bash", arguments: { command } });
/** Who finds a file in source and build folder alike knows which of them to read. */
const isCopy = (path: string) => path.startsWith("./build/");
const pathsIn = (text: string) => text.split("\n").filter((path) => path.startsWith("./") && !isCopy(path));

/** Finds files by the shell, as an agent with nothing else does, and reads them from end to end. */
const wholeFiles: Way = {
	name: "whole files",
	async answer(question, hands) {
		const [listed = ""] = await hands.use(bash(listFiles(question)));
		const paths = pathsIn(listed);
		if (paths.length > 0)
			await hands.use(...paths.map((path): Call => ({ name: "read", arguments: { path } })));
	},
};

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

/** grep and find in the shell, and the lines that they name by sed. */
const shell: Way = {
	name: "shell grep and find",
	async answer(question, hands) {
		switch (question.type) {
			case "uses":
				await hands.use(bash(`grep -rnw ${quote(question.symbol)} .`));
				return;
			case "exports": {
				const [listed = ""] = await hands.use(bash(listFiles(question)));
				await hands.use(bash(`grep -nE ${quote(EXPORT)} ${pathsIn(listed).join(" ")}`));
				return;
			}
			case "definition": {
				const [hits = ""] = await hands.use(bash(`grep -rnE ${quote(definitionOf(question.symbol))} .`));
				for (const [, path = "", line = ""] of hits.matchAll(/^(\S+?):(\d+):/gm)) {
					if (isCopy(path)) continue;
					await readDefinition(hands, Number(line), (first) =>
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
	async answer(question, hands) {
		switch (question.type) {
			case "uses":
				await hands.use({ name: "grep", arguments: { pattern: `\\b${question.symbol}\\b` } });
				return;
			case "exports": {
				const name = `*${question.word}*`;
				await hands.use({ name: "grep", arguments: { pattern: EXPORT, glob: name } });
				return;
			}
			case "definition": {
				const [hits = ""] = await hands.use({
					name: "grep",
					arguments: { pattern: definitionOf(question.symbol) },
				});
				for (const [, path = "", line = ""] of hits.matchAll(/^(\S+)\n(\d+): /gm)) {
					await readDefinition(hands, Number(line), (first) => ({
						name: "read",
						arguments: { path, offset: first, limit: WINDOW },
					}));
				}
			}
		}
	},
};

/** Window after window, until the definition has ended. */
async function readDefinition(hands: Hands, start: number, read: (first: number) => Call): Promise<void> {
	for (let first = start; ; first += WINDOW) {
		const [text = ""] = await hands.use(read(first));
		if (/^\}/m.test(text) || text.trim() === "") return;
	}
}

export const ways: readonly Way[] = [wholeFiles, shell, ours];
