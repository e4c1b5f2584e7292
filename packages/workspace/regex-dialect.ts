import { readBrackets } from "./regex-brackets.ts";
import { type CodePoints, ESCAPE_CLASSES, writeJavaScriptClass, writeRustClass } from "./regex-class.ts";
import { lookAhead, peek, type RegexReader, readEscapedCharacter, refuse } from "./regex-reader.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** One pattern, written for both engines so that both find the same lines. */
export interface LinePattern {
	/** For `RegExp` with the flag `u`, over a whole file: it never matches a line break. */
	readonly javascript: string;
	/** For ripgrep's default engine. */
	readonly rust: string;
	readonly ignoreCase: boolean;
	/** Text that every match holds, or "" when there is none to be sure of: it rules most lines out cheaply. */
	readonly needle: string;
}

interface Atom {
	readonly javascript: string;
	readonly rust: string;
	/** The one character that it matches, if it is that simple. */
	readonly literal?: string;
	/** The largest product of counts inside it. */
	readonly weight: number;
	readonly type: "consumes" | "starts" | "ends" | "asserts";
	/** Set when there is a `^` or `$` inside. */
	readonly isAnchored?: boolean;
}

interface Sequence {
	readonly atom: Atom;
	readonly needle: string;
}

const MAX_PATTERN_CHARS = 1000;
const MAX_DEPTH = 50;
const MAX_COUNT = 1000;

/**
 * Reads a regular expression of the dialect that both engines share: literals, `.`, classes (`[a-z]`, `[^"]`,
 * `[[:alpha:]]`, `\d`, `\w`, `\s` and their opposites, all ASCII), `^` in front, `$` at the end, `\b`, groups, `|`, `*`, `+`, `?`,
 * `{n,m}` and their lazy forms, `\t`, `\xHH`, `\uHHHH`, `\u{H}`, and `(?i)` in front. A brace that counts nothing is
 * a literal. What one engine lacks is refused: look-around, backreferences, Unicode properties, line breaks.
 *
 * @throws WorkspaceError `bad-pattern`, naming the place
 */
export function readRegex(pattern: string, ignoreCase: boolean): LinePattern {
	checkText(pattern);
	const folds = ignoreCase || pattern.startsWith("(?i)");
	const body = pattern.startsWith("(?i)") ? pattern.slice("(?i)".length) : pattern;
	if (body === "") checkText(body);
	const reader: RegexReader = { pattern: body, characters: [...body], at: 0, depth: 0 };
	const { atom, needle } = readAlternatives(reader);
	if (reader.at < reader.characters.length) throw refuse(reader, "has a `)` without its `(`");
	const { javascript, rust } = atom;
	return { javascript, rust, ignoreCase: folds, needle: folds ? "" : needle };
}

/** @throws WorkspaceError `bad-pattern` when the text is empty, too long or more than a line */
export function readLiteral(text: string, ignoreCase: boolean): LinePattern {
	checkText(text);
	const { javascript, rust } = concatenate([...text].map(literalAtom));
	return { javascript, rust, ignoreCase, needle: ignoreCase ? "" : text };
}

function checkText(pattern: string): void {
	const fail = (problem: string) => {
		throw new WorkspaceError("bad-pattern", `The pattern ${problem}`);
	};
	if (pattern === "") fail("is empty. Use glob to list files.");
	if (pattern.length > MAX_PATTERN_CHARS) fail(`is longer than ${MAX_PATTERN_CHARS} characters.`);
	if (/[\n\0]/.test(pattern)) fail("holds a line break or NUL. grep looks at one line at a time.");
	if (/\p{Cs}/u.test(pattern)) fail("is not valid Unicode.");
}

function readAlternatives(reader: RegexReader): Sequence {
	const first = readSequence(reader);
	if (peek(reader) !== "|") return first;
	const branches = [first.atom];
	while (peek(reader) === "|") {
		reader.at += 1;
		branches.push(readSequence(reader).atom);
	}
	return { atom: join(branches, "|"), needle: "" };
}

function readSequence(reader: RegexReader): Sequence {
	const atoms: Atom[] = [];
	for (let next = peek(reader); next !== undefined && next !== "|" && next !== ")"; next = peek(reader)) {
		if (next === "^" && atoms.length > 0)
			throw refuse(reader, "has a `^` that is not in front (write `\\^`)");
		if (atoms.at(-1)?.type === "ends") throw refuse(reader, "goes on after `$` (write `\\$`)");
		atoms.push(readQuantified(reader, readAtom(reader, next)));
	}
	return { atom: concatenate(atoms), needle: findLongestLiteral(atoms) };
}

function concatenate(atoms: readonly Atom[]): Atom {
	return join(atoms, "");
}

function join(atoms: readonly Atom[], separator: string): Atom {
	return {
		javascript: atoms.map((atom) => atom.javascript).join(separator),
		rust: atoms.map((atom) => atom.rust).join(separator),
		weight: Math.max(1, ...atoms.map((atom) => atom.weight)),
		type: "consumes",
		isAnchored: atoms.some((atom) => atom.isAnchored),
	};
}

function findLongestLiteral(atoms: readonly Atom[]): string {
	let longest = "";
	let run = "";
	for (const { literal } of atoms) {
		run = literal === undefined ? "" : run + literal;
		if (run.length > longest.length) longest = run;
	}
	return longest;
}

function readAtom(reader: RegexReader, character: string): Atom {
	if (character === "(") return readGroup(reader);
	if (character === "\\") return readEscape(reader);
	if (character === "[") {
		const { set, negated } = readBrackets(reader);
		return classAtom(set, negated);
	}
	if (readCount(reader) !== undefined) throw refuse(reader, `has nothing to repeat with \`${character}\``);
	reader.at += 1;
	if (character === ".") return classAtom([], true);
	// JavaScript's own anchors take U+2028 for a line's end; `\r?` lets `$` stand before the CR of a CRLF file.
	if (character === "^")
		return { javascript: "(?<=^|\\n)", rust: "^", weight: 1, type: "starts", isAnchored: true };
	if (character === "$")
		return { javascript: "\\r?(?=\\n|$)", rust: "\\r?$", weight: 1, type: "ends", isAnchored: true };
	return literalAtom(character);
}

function literalAtom(character: string): Atom {
	const written = (prefix: string) => {
		if (/\p{Cc}/u.test(character)) return `${prefix}{${character.codePointAt(0)?.toString(16)}}`;
		return character.replace(/[\\^$.*+?()[\]{}|]/, "\\$&");
	};
	return {
		javascript: written("\\u"),
		rust: written("\\x"),
		literal: character,
		weight: 1,
		type: "consumes",
	};
}

function classAtom(set: CodePoints, negated: boolean): Atom {
	return {
		javascript: writeJavaScriptClass(set, negated),
		rust: writeRustClass(set, negated),
		weight: 1,
		type: "consumes",
	};
}

/** Nothing captures here, so that named and numbered groups are plain ones. */
function readGroup(reader: RegexReader): Atom {
	const head = lookAhead(reader, 64);
	if (/^\(\?<?[=!]/.test(head)) throw refuse(reader, "uses look-around, which is not supported");
	const opening = /^\(\?(?::|P?<\w+>)|^\((?!\?)/.exec(head)?.[0];
	if (opening === undefined) throw refuse(reader, "uses a group `(?` that is not supported");
	reader.depth += 1;
	if (reader.depth > MAX_DEPTH) throw refuse(reader, `nests more than ${MAX_DEPTH} groups`);
	reader.at += opening.length;
	const { atom } = readAlternatives(reader);
	if (peek(reader) !== ")") throw refuse(reader, "has a `(` without its `)`");
	reader.at += 1;
	reader.depth -= 1;
	return { ...atom, javascript: `(?:${atom.javascript})`, rust: `(?:${atom.rust})` };
}

function readEscape(reader: RegexReader): Atom {
	const letter = reader.characters[reader.at + 1];
	if (letter === undefined) throw refuse(reader, "ends in a lone `\\`");
	const set = ESCAPE_CLASSES[letter.toLowerCase()];
	if (letter !== "b" && set === undefined) return literalAtom(readEscapedCharacter(reader));
	reader.at += 2;
	if (set === undefined) return { javascript: "\\b", rust: "(?-u:\\b)", weight: 1, type: "asserts" };
	return classAtom(set, letter !== letter.toLowerCase());
}

interface Count {
	readonly text: string;
	readonly least: number;
	readonly most: number;
}

/** The quantifier that stands here, or undefined: the `{` of `interface{}` counts nothing. */
function readCount(reader: RegexReader): Count | undefined {
	const [text, braces, least = "", comma, most] =
		/^(?:[*+?]|(\{(\d+)(,(\d*))?\}))\??/.exec(lookAhead(reader, 16)) ?? [];
	if (text === undefined) return undefined;
	if (braces === undefined) return { text, least: 0, most: 1 };
	return { text, least: Number(least), most: Number(comma === undefined ? least : most || least) };
}

function readQuantified(reader: RegexReader, atom: Atom): Atom {
	const count = readCount(reader);
	if (count === undefined) return atom;
	// ripgrep 13 misses lines where an anchor is repeated.
	if (atom.type !== "consumes" || atom.isAnchored) throw refuse(reader, "repeats an anchor");
	if (count.most < count.least) throw refuse(reader, `counts backwards with \`${count.text}\``);
	const weight = atom.weight * Math.max(1, count.most);
	if (weight > MAX_COUNT) throw refuse(reader, `repeats more than ${MAX_COUNT} times with \`${count.text}\``);
	reader.at += count.text.length;
	if (readCount(reader) !== undefined) throw refuse(reader, "has two quantifiers in a row");
	return {
		javascript: atom.javascript + count.text,
		rust: atom.rust + count.text,
		weight,
		type: "consumes",
	};
}
