import { readFileSync, statSync } from "node:fs";
import { encodeText } from "./byte-text.mjs";

type Matcher = import("ignore").Ignore;
type CreateMatcher = (rules: string) => Matcher;

/** The rules of one directory's ignore file, and those of the directories above it. */
export interface IgnoreRules {
	/** Where the rules were found, relative to the root of the walk: "" or "src/". */
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

/** The rules that hold in a directory which has the given ignore file; those above when it cannot be read. */
export function readRules(
	file: string,
	base: string,
	above: IgnoreRules | undefined,
	createMatcher: CreateMatcher,
): IgnoreRules | undefined {
	const text = readRuleFile(file);
	return text === undefined ? above : { base, text, matcher: createMatcher(text), above };
}

/**
 * Whether git would leave the path out: the deepest file with a matching rule decides (gitignore(5)). The caller
 * has made sure that no directory above the path is ignored. Directories end in `/`.
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
 * Rules for the inside of a directory that is not ignored. `ignore` takes a path as ignored when a rule of the same
 * file names its parent; where a deeper file has taken the parent back in, the outer rules have to learn it.
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

/** Only a plain file of a sane size is read: a pipe in its place would block for ever. */
function readRuleFile(path: string): string | undefined {
	const file = encodeText(path);
	try {
		const stats = statSync(file);
		if (!stats.isFile() || stats.size > MAX_RULE_FILE_BYTES) return undefined;
		return readFileSync(file, "latin1").replace(/^\xEF\xBB\xBF/, "");
	} catch {
		return undefined;
	}
}
