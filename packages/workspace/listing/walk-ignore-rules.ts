import { readSmallFile } from "../files/regular-file.ts";
import { encodeText } from "../text/byte-text.ts";

type Matcher = import("ignore").Ignore;
type CreateMatcher = (rules: string) => Matcher;

/** The rules of one directory's ignore file, and those of the directories above it. */
export interface IgnoreRules {
	/** The directory of the rules, relative to the root of the walk: "" or "src/". */
	readonly base: string;
	/** One character a byte. */
	readonly text: string;
	readonly matcher: Matcher;
	readonly above: IgnoreRules | undefined;
}

const MAX_RULE_FILE_BYTES = 1_000_000;

/** git's default for `core.ignorecase` when it creates a repository on the platform's usual file system. */
const IGNORE_CASE = process.platform === "win32" || process.platform === "darwin";

export async function loadMatcher(): Promise<CreateMatcher> {
	const { default: ignore } = await import("ignore");
	return (rules) => ignore({ ignorecase: IGNORE_CASE }).add(rules);
}

/**
 * Returns the rules that hold in a directory with the given ignore file. Like git, it follows no link to one; a file
 * that is not regular, or too large, adds no rules.
 */
export function readRules(
	file: string,
	base: string,
	above: IgnoreRules | undefined,
	createMatcher: CreateMatcher,
): IgnoreRules | undefined {
	const bytes = readSmallFile(file, MAX_RULE_FILE_BYTES);
	if (bytes === undefined) return above;
	const text = bytes.toString("latin1").replace(/^\xEF\xBB\xBF/, "");
	return { base, text, matcher: createMatcher(text), above };
}

/**
 * Returns true if git would leave the path out: the deepest file with a matching rule decides (gitignore(5)). The
 * caller has made sure that no directory above the path is ignored. Directories end in `/`.
 */
export function isIgnored(rules: IgnoreRules | undefined, path: string): boolean {
	for (let level = rules; level !== undefined; level = level.above) {
		const verdict = level.matcher.test(writeBytes(path.slice(level.base.length)));
		if (verdict.ignored) return true;
		if (verdict.unignored) return false;
	}
	return false;
}

/**
 * Returns the rules for the inside of a directory that is not ignored. The package `ignore` regards a path as ignored
 * when a rule of the same file names its parent; where a deeper file includes the parent again, the outer rules get a
 * rule that says so.
 */
export function enterDirectory(
	rules: IgnoreRules | undefined,
	directory: string,
	createMatcher: CreateMatcher,
): IgnoreRules | undefined {
	if (rules === undefined) return undefined;
	const above = enterDirectory(rules.above, directory, createMatcher);
	const inside = writeBytes(directory.slice(rules.base.length));
	if (!rules.matcher.test(inside).ignored) return above === rules.above ? rules : { ...rules, above };
	const text = `${rules.text}\n!/${escapeRule(inside)}`;
	return { ...rules, text, matcher: createMatcher(text), above };
}

/** git compares bytes: `?` is not enough for a letter of two. Here a character stands for each byte. */
function writeBytes(path: string): string {
	return /^[\x20-\x7E]*$/.test(path) ? path : encodeText(path).toString("latin1");
}

function escapeRule(path: string): string {
	return path.replace(/[\\*?[\]!# ]/g, "\\$&");
}
