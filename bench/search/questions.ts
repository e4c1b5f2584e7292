/** Questions about the source of four packages; their answers are lines of it, so that they can be checked. */

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
