/** Questions about a source tree; their answers are lines of it, so that they can be checked. */

export type Question =
	| { readonly type: "definition"; readonly symbol: string; readonly answer: readonly Passage[] }
	| { readonly type: "uses"; readonly symbol: string; readonly answer: readonly Passage[] }
	/** The exported definitions of the files whose name contains the word. */
	| { readonly type: "exports"; readonly word: string; readonly answer: readonly Passage[] };

/** Lines of one file that have to be seen. */
export interface Passage {
	readonly path: string;
	readonly lines: readonly string[];
}

export type Tree = ReadonlyMap<string, string>;

interface Definition {
	readonly symbol: string;
	readonly passage: Passage;
}

const DEFINITION = /^(?:export )?(?:default )?(?:async )?(?:function|class) ([A-Za-z]\w{5,})\b/;
const EXPORT = /^export (?:default )?(?:async )?(?:function|class|const|interface|type) \w/;
const MAX_LINES = 150;
const MAX_USES = 40;
const MAX_FILES = 8;
/** Tools may cut longer lines. */
const MAX_CHARS = 160;

/** At most `each` questions of each kind, spread over the tree; the same for the same tree. */
export function makeQuestions(tree: Tree, each: number): readonly Question[] {
	const known = definitionsOf(tree);
	const definitions = known.map(
		({ symbol, passage }): Question => ({ type: "definition", symbol, answer: [passage] }),
	);
	const uses = known.map(({ symbol }): Question => ({ type: "uses", symbol, answer: usesOf(tree, symbol) }));
	const words = [...new Set([...tree.keys()].flatMap(wordsOf))].toSorted();
	const exported = words.map((word): Question => ({ type: "exports", word, answer: exportsOf(tree, word) }));
	return [
		...spread(definitions, each),
		...spread(uses.filter(isFair(2, MAX_USES)), each),
		...spread(exported.filter(isFair(2, MAX_FILES)), each),
	];
}

/** Accepts answers from so many files, without lines that a tool might cut. */
function isFair(least: number, most: number): (question: Question) => boolean {
	return ({ answer }) =>
		answer.length >= least &&
		answer.length <= most &&
		answer.every(({ lines }) => lines.length <= MAX_USES && lines.every((line) => line.length <= MAX_CHARS));
}

/** Functions and classes whose name is defined once in the tree. */
function definitionsOf(tree: Tree): readonly Definition[] {
	const found = [...tree].flatMap(([path, text]) => definitionsIn(path, text.split("\n")));
	const times = new Map<string, number>();
	for (const { symbol } of found) times.set(symbol, (times.get(symbol) ?? 0) + 1);
	return found.filter(
		({ symbol, passage }) =>
			times.get(symbol) === 1 && passage.lines.every((line) => line.length <= MAX_CHARS),
	);
}

function definitionsIn(path: string, lines: readonly string[]): readonly Definition[] {
	return lines.flatMap((line, start) => {
		const symbol = DEFINITION.exec(line)?.[1];
		const length = lines.slice(start, start + MAX_LINES).findIndex((later) => later.startsWith("}")) + 1;
		if (symbol === undefined || length < 5) return [];
		return [{ symbol, passage: { path, lines: lines.slice(start, start + length) } }];
	});
}

function usesOf(tree: Tree, symbol: string): readonly Passage[] {
	return pick(tree, (line) => new RegExp(`\\b${symbol}\\b`).test(line));
}

function exportsOf(tree: Tree, word: string): readonly Passage[] {
	const named = new Map([...tree].filter(([path]) => wordsOf(path).includes(word)));
	return pick(named, (line) => EXPORT.test(line));
}

function pick(tree: Tree, isWanted: (line: string) => boolean): readonly Passage[] {
	return [...tree].flatMap(([path, text]) => {
		const lines = text.split("\n").filter(isWanted);
		return lines.length > 0 ? [{ path, lines }] : [];
	});
}

/** The words of at least five letters in a file's own name. */
function wordsOf(path: string): readonly string[] {
	const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
	return name.split(/[^a-z]+/).filter((word) => word.length >= 5);
}

function spread<T>(values: readonly T[], count: number): readonly T[] {
	const step = Math.max(1, values.length / count);
	const wanted = Math.min(count, values.length);
	return Array.from({ length: wanted }, (_, index) => values[Math.floor(index * step)]).filter(
		(value) => value !== undefined,
	);
}
