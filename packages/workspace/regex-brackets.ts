import { type CodePoints, complement, ESCAPE_CLASSES, POSIX_CLASSES } from "./regex-class.ts";
import { lookAhead, peek, type RegexReader, readEscapedCharacter, refuse } from "./regex-reader.ts";

export interface Brackets {
	readonly set: CodePoints;
	readonly negated: boolean;
}

/** Reads `[a-z]`, `[^"]`, `[[:alpha:]_]`. A `]` that comes first is a member, as in POSIX. */
export function readBrackets(reader: RegexReader): Brackets {
	reader.at += 1;
	const negated = peek(reader) === "^";
	if (negated) reader.at += 1;
	const set: (readonly [number, number])[] = [];
	for (let first = true; first || peek(reader) !== "]"; first = false) {
		if (peek(reader) === undefined) throw refuse(reader, "has a `[` without its `]`");
		set.push(...readMember(reader));
	}
	reader.at += 1;
	return { set, negated };
}

function readMember(reader: RegexReader): CodePoints {
	return readPosixClass(reader) ?? readEscapeClass(reader) ?? readRange(reader);
}

function readPosixClass(reader: RegexReader): CodePoints | undefined {
	const posix = /^\[:(\w+):\]/.exec(lookAhead(reader, 12));
	if (posix === null) return undefined;
	const set = POSIX_CLASSES[posix[1] ?? ""];
	if (set === undefined) throw refuse(reader, `has no class ${posix[0]}`);
	reader.at += posix[0].length;
	return set;
}

function readEscapeClass(reader: RegexReader): CodePoints | undefined {
	const letter = /^\\([dwsDWS])/.exec(lookAhead(reader, 2))?.[1];
	const set = ESCAPE_CLASSES[letter?.toLowerCase() ?? ""];
	if (letter === undefined || set === undefined) return undefined;
	reader.at += 2;
	return letter === letter.toLowerCase() ? set : complement(set);
}

function readRange(reader: RegexReader): CodePoints {
	const first = readCharacter(reader);
	const after = reader.characters[reader.at + 1];
	if (peek(reader) !== "-" || after === undefined || after === "]") return [[first, first]];
	reader.at += 1;
	if (readEscapeClass(reader) !== undefined) throw refuse(reader, "has a range that ends in a class");
	const last = readCharacter(reader);
	if (last < first) throw refuse(reader, "has a range that runs backwards");
	return [[first, last]];
}

function readCharacter(reader: RegexReader): number {
	const character = peek(reader) ?? "";
	if (character === "\\") return readEscapedCharacter(reader).codePointAt(0) ?? 0;
	reader.at += 1;
	return character.codePointAt(0) ?? 0;
}
