import { showName } from "./shown-name.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** A place in a pattern that is being read. */
export interface RegexReader {
	readonly pattern: string;
	readonly characters: readonly string[];
	at: number;
	depth: number;
}

const CONTROL_ESCAPES: Readonly<Record<string, string>> = { t: "\t", r: "\r", f: "\f", v: "\v" };
const LINE_BREAK = "holds a line break; grep looks at one line at a time";

export function peek(reader: RegexReader): string | undefined {
	return reader.characters[reader.at];
}

/** The text from here on, for a token of at most `width` characters. */
export function lookAhead(reader: RegexReader, width: number): string {
	return reader.characters.slice(reader.at, reader.at + width).join("");
}

export function refuse(reader: RegexReader, problem: string): WorkspaceError {
	const place = `at character ${reader.at + 1}`;
	const hint = "Set literal to search for the text as it stands.";
	return new WorkspaceError(
		"bad-pattern",
		`The pattern ${showName(reader.pattern)} ${problem}, ${place}. ${hint}`,
	);
}

/**
 * The character that an escape such as `\.`, `\t` or `\x41` stands for.
 *
 * @throws WorkspaceError `bad-pattern` for a backreference, a line break or an unknown escape
 */
export function readEscapedCharacter(reader: RegexReader): string {
	const hex = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|[ux]\{([0-9a-fA-F]{1,6})\})/.exec(
		lookAhead(reader, 12),
	);
	if (hex !== null) return readCodePoint(reader, hex[0], hex[1] ?? hex[2] ?? hex[3] ?? "");
	const next = reader.characters[reader.at + 1] ?? "";
	if (/[1-9k]/.test(next)) throw refuse(reader, "uses a backreference, which is not supported");
	if (next === "n") throw refuse(reader, LINE_BREAK);
	const control = CONTROL_ESCAPES[next];
	if (control === undefined && !/^[^A-Za-z0-9<>]$/u.test(next)) {
		throw refuse(reader, `uses \`\\${next}\`, which is not supported`);
	}
	reader.at += 2;
	return control ?? next;
}

function readCodePoint(reader: RegexReader, text: string, digits: string): string {
	const point = Number.parseInt(digits, 16);
	if (point === 0x0a) throw refuse(reader, LINE_BREAK);
	if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
		throw refuse(reader, `has no character ${text}`);
	}
	reader.at += text.length;
	return String.fromCodePoint(point);
}
