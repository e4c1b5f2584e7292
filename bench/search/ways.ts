/**
 * Questions about the source of four packages, whose answers are lines of it, and four ways of working, scripted. All know
 * what to look for and differ in their tools; none uses anything that it has not seen in a result.
 */
import * as host from "@mariozechner/pi-coding-agent";
import { type CountTokens, contentText } from "#pi/codec";
import { formatGrepResult, type GrepRequest, grep } from "#workspace";

export const kinds = {
	definition: "where is it defined, and how",
	uses: "where is it used",
	exports: "what do files of this name export",
} as const;

export interface Question {
	readonly type: keyof typeof kinds;
	/** A symbol; for `exports` a word in the names of files. */
	readonly about: string;
}

/** Lines of one file that have to be seen. */
interface Passage {
	readonly path: string;
	readonly lines: readonly string[];
}

/** The text of each file by its path. */
export type Tree = ReadonlyMap<string, string>;

/** Drawn once, evenly over the files. */
const subjects: Readonly<Record<Question["type"], readonly string[]>> = {
	definition: [
		...["Anthropic", "decideAdditionalProperties", "Translations", "NotSupportedError", "onHttp2SendPing"],
		...["DNSStorage", "PoolStats", "isNetworkError", "createInheritableDOMException", "isCollection"],
	],
	uses: [
		...["AnthropicError", "parseEnumDef", "maybe_map", "Methods", "HTTPParserError", "defaultFactory"],
		...["urlEquals", "appendFetchMetadata", "fireEvent", "collectionFromPath"],
	],
	exports: [
		...["audio", "client", "essage", "internal", "ompletion"],
		...["platform", "sessions", "stores", "tream", "utils"],
	],
};

/** The first `each` questions of each kind. */
export function listQuestions(each: number): readonly Question[] {
	const types = ["definition", "uses", "exports"] as const;
	return types.flatMap((type) => subjects[type].slice(0, each).map((about) => ({ type, about })));
}

const EXPORT = /^export (?:default )?(?:async )?(?:function|class|const|interface|type) \w/;

export function answerTo({ type, about }: Question, tree: Tree): readonly Passage[] {
	return [...tree].flatMap(([path, text]) => {
		const lines = linesOf[type](about, text.split("\n"), path);
		return lines.length > 0 ? [{ path, lines }] : [];
	});
}

type FindLines = (about: string, lines: readonly string[], path: string) => readonly string[];

const linesOf: Readonly<Record<Question["type"], FindLines>> = {
	/** From the head of the function or class to the next line that begins with a brace. */
	definition(symbol, lines) {
		const head = new RegExp(`^(?:export )?(?:default )?(?:async )?(?:function|class) ${symbol}\\b`);
		const start = lines.findIndex((line) => head.test(line));
		const end = lines.findIndex((line, index) => index > start && line.startsWith("}"));
		return start < 0 ? [] : lines.slice(start, end + 1);
	},
	uses: (symbol, lines) => lines.filter((line) => new RegExp(`\\b${symbol}\\b`).test(line)),
	exports(word, lines, path) {
		const words = path.slice(path.lastIndexOf("/")).split(/[^a-z]+/);
		return words.includes(word) ? lines.filter((line) => EXPORT.test(line)) : [];
	},
};

type Call =
	| {
			readonly name: "read";
			readonly arguments: { readonly path: string; readonly offset?: number; readonly limit?: number };
	  }
	| { readonly name: "bash"; readonly arguments: { readonly command: string } }
	| { readonly name: "grep"; readonly arguments: GrepRequest };

/** Runs the calls of one message and returns their results in order. */
type Use = (...calls: readonly Call[]) => Promise<readonly string[]>;

type Way = (question: Question, use: Use) => Promise<void>;

/** Lines to read at a time, from the start of a definition. */
const WINDOW = 60;
/** Lines of a chunk; Codex told its model to read no larger ones (openai/codex, its system prompt of 2025). */
const CHUNK = 250;
const SEARCHED_EXPORT = "^export (default )?(async )?(function|class|const|interface|type) ";

const definitionOf = (symbol: string) => `(function|class) ${symbol}\\b`;
const bash = (command: string): Call => ({ name: "bash", arguments: { command } });
const readLines = (path: string, first: number, count: number): Call =>
	bash(`sed -n '${first},${first + count - 1}p' ${path}`);

/** The shell's search for a definition or for uses; `l` prints the names of files, `n` the lines with their numbers. */
const shellSearch = ({ type, about }: Question, printed: "l" | "n"): string =>
	type === "uses" ? `grep -r${printed}w '${about}' .` : `grep -r${printed}E '${definitionOf(about)}' .`;

/** The paths that the shell lists for a question. */
async function listFiles(question: Question, use: Use): Promise<readonly string[]> {
	const isNamed = question.type === "exports";
	const command = isNamed ? `find . -type f -name '*${question.about}*'` : shellSearch(question, "l");
	const [listed = ""] = await use(bash(command));
	return listed.split("\n").filter((path) => path.startsWith("./"));
}

/** The same search for our grep. */
const searches: Readonly<Record<Question["type"], (about: string) => GrepRequest>> = {
	definition: (symbol) => ({ pattern: definitionOf(symbol) }),
	uses: (symbol) => ({ pattern: `\\b${symbol}\\b` }),
	exports: (word) => ({ pattern: SEARCHED_EXPORT, glob: `*${word}*` }),
};

/** Searches for lines, and reads on from each definition that `places` finds in the results, until it has ended. */
const searching =
	(
		search: (question: Question, use: Use) => Call | Promise<Call>,
		places: RegExp,
		read: (path: string, first: number) => Call,
	): Way =>
	async (question, use) => {
		const [hits = ""] = await use(await search(question, use));
		if (question.type !== "definition") return;
		for (const [, path = "", line = ""] of hits.matchAll(places)) {
			for (let first = Number(line); ; first += WINDOW) {
				const [text = ""] = await use(read(path, first));
				if (/^\}/m.test(text) || text.trim() === "") break;
			}
		}
	};

export const ways: Readonly<Record<string, Way>> = {
	/** Finds files with the shell and reads them whole, as an agent without better tools does. */
	async "whole files"(question, use) {
		const paths = await listFiles(question, use);
		const reads = paths.map((path): Call => ({ name: "read", arguments: { path } }));
		if (reads.length > 0) await use(...reads);
	},
	/** Finds files with the shell and reads them in chunks from the start until the answer has ended, as Codex did. */
	async "chunked reads"(question, use) {
		const start = question.type === "definition" ? new RegExp(definitionOf(question.about)) : undefined;
		for (const path of await listFiles(question, use)) {
			let seen = "";
			for (let first = 1; ; first += CHUNK) {
				const [text = ""] = await use(readLines(path, first, CHUNK));
				seen += `${text}\n`;
				const found = start ? seen.search(start) : -1;
				if (found >= 0 && /^\}/m.test(seen.slice(found))) break;
				if (text.split("\n").length < CHUNK) break;
			}
		}
	},
	/** Uses grep and find in the shell, and sed for the lines that they name. */
	"shell grep and find": searching(
		async (question, use) => {
			if (question.type !== "exports") return bash(shellSearch(question, "n"));
			return bash(`grep -nE '${SEARCHED_EXPORT}' ${(await listFiles(question, use)).join(" ")}`);
		},
		/^(\S+?):(\d+):/gm,
		(path, first) => readLines(path, first, WINDOW),
	),
	/** The tools of this project. */
	"glob, grep and read": searching(
		({ type, about }) => ({ name: "grep", arguments: searches[type](about) }),
		/^(\S+)\n(\d+): /gm,
		(path, offset) => ({ name: "read", arguments: { path, offset, limit: WINDOW } }),
	),
};

/** Answers a question in one way: `steps` are messages with calls, `tokens` (o200k) those of calls and results, which `seen` holds. */
export async function work(way: Way, question: Question, cwd: string, count: CountTokens) {
	const [read, shell] = [host.createReadTool(cwd), host.createBashTool(cwd)];
	const effort = { calls: 0, steps: 0, tokens: 0, seen: "" };
	async function perform(call: Call): Promise<string> {
		if (call.name === "grep") return formatGrepResult(await grep(call.arguments, { cwd }), count);
		const { content } = await (call.name === "read"
			? read.execute("", call.arguments)
			: shell.execute("", call.arguments));
		return contentText(content);
	}
	await way(question, async (...calls) => {
		effort.steps += 1;
		const results: string[] = [];
		for (const call of calls) {
			const result = await perform(call);
			results.push(result);
			effort.calls += 1;
			effort.tokens += count(JSON.stringify(call)) + count(result);
			effort.seen += `${result}\n`;
		}
		return results;
	});
	return effort;
}
