import { showName } from "#basics";
import { WorkspaceError } from "../workspace-error.ts";
import { type LinePattern, runRipgrep } from "./ripgrep.ts";

const MAX_PATTERN_CHARS = 1000;
const CHECK_MS = 5000;

/**
 * Reads the pattern of a request. Two habits of other dialects are understood: a brace that counts nothing is a
 * literal (`interface{}`), and so is `[` inside of brackets (`[^[]`).
 *
 * @throws WorkspaceError `bad-pattern` when the text is empty, too long or more than one line
 */
export function readPattern(text: string, isLiteral: boolean, ignoreCase: boolean): LinePattern {
	const fail = (problem: string) => {
		throw new WorkspaceError("bad-pattern", `The pattern ${problem}`);
	};
	if (text === "") fail("is empty. Use glob to list files.");
	if (text.length > MAX_PATTERN_CHARS) fail(`is longer than ${MAX_PATTERN_CHARS} characters.`);
	if (/[\n\0]/.test(text)) fail("holds a line break or NUL. grep looks at one line at a time.");
	if (/\p{Cs}/u.test(text)) fail("is not valid Unicode.");
	if (!isLiteral && /(?<!\\)(?:\\\\)*\\$/.test(text))
		fail("ends in a lone `\\`. Write `\\\\` for a backslash.");
	return { text: isLiteral ? text : adaptDialect(text), isLiteral, ignoreCase };
}

/** An escape, a bracket expression with its `]` in front, a counter, a stray brace. */
const TOKEN = /\\[pPxuU]\{[^}]*\}|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|\{/gsu;

function adaptDialect(text: string): string {
	return text.replace(TOKEN, (token) => {
		if (token === "{") return "\\{";
		return token.startsWith("[") ? escapeBrackets(token) : token;
	});
}

/** Rust's brackets nest and know the operators `&&`, `--` and `~~`. Here these are plain characters, as in grep. */
function escapeBrackets(brackets: string): string {
	const [, opening = "[", members = ""] = /^(\[\^?\]?)(.*)\]$/su.exec(brackets) ?? [];
	const plain = members.replace(/\[:\^?\w+:\]|\\.|\[|&&|~~|--/gsu, (part) =>
		part.length > 2 || part.startsWith("\\") ? part : part.replace(/./gsu, "\\$&"),
	);
	return `${opening}${plain}]`;
}

/**
 * Has ripgrep read the pattern, so that a mistake is reported even where there is no file to search.
 *
 * @throws WorkspaceError `bad-pattern` with ripgrep's reason, `aborted`, or `failed` where ripgrep is missing
 */
export async function checkPattern(
	pattern: LinePattern,
	root: string,
	signal: AbortSignal | undefined,
): Promise<void> {
	const giveUpAt = performance.now() + CHECK_MS;
	const output = await runRipgrep({ root, pattern, signal, giveUpAt }, ["--quiet"], Buffer.alloc(0));
	if (output.type !== "exit" || output.code === 0 || output.code === 1) return;
	const shown = showName(pattern.text.slice(0, 200));
	const advice = "Set literal to search for the text as it is.";
	throw new WorkspaceError(
		"bad-pattern",
		`The pattern ${shown} is refused: ${readReason(output.stderr)}. ${advice}`,
	);
}

/** ripgrep's messages end in advice about flags that the tool does not have. */
function readReason(stderr: string): string {
	const reason = /^error: (.+)$/m.exec(stderr)?.[1] ?? /^rg: (.+)$/m.exec(stderr)?.[1];
	return reason?.slice(0, 300) ?? "ripgrep cannot compile it within its memory";
}
