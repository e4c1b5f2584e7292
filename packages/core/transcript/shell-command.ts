/** Reads shell commands: whether they only look at things, and whether they show files. Nothing is run. */
import type { UnknownRecord } from "#basics";

const readingCommands = new Set(
	(
		"ls cat head tail less more grep egrep fgrep rg ag find fd tree wc stat file du df pwd which whereis type echo " +
		"printf date whoami id uname ps nl sort uniq cut awk jq diff cmp md5sum sha1sum sha256sum strings od xxd " +
		"hexdump readlink realpath dirname basename true test cd"
	).split(" "),
);
const readingGit = new Set(
	"status log show diff blame grep ls-files ls-tree rev-parse describe branch remote shortlog cat-file reflog".split(
		" ",
	),
);

/** Returns true if one shell segment only reads. Unknown programs count as changing things. */
function isReadOnlySegment(segment: string): boolean {
	const all = segment.trim().split(/\s+/);
	const first = all.findIndex((word) => !/^([A-Za-z_]\w*=|(.*\/)?env$)/.test(word));
	const words = first < 0 ? [] : all.slice(first);
	const program = words[0]?.replace(/^.*\//, "");
	if (program === undefined || program === "") return true;
	if (program === "sed") return words.includes("-n") && !words.some((word) => /^-(i|-in-place)/.test(word));
	if (program === "find") return !words.some((word) => /^-(delete|exec|ok|fprint|fls)/.test(word));
	if (program === "git") {
		const verb = words.slice(1).find((word) => !word.startsWith("-"));
		return verb !== undefined && readingGit.has(verb);
	}
	return readingCommands.has(program);
}

/** Returns true, without running anything, if every segment of a shell command only reads and nothing is redirected to a file. */
export function isReadOnlyCommand(command: string): boolean {
	const bare = command
		.replace(/'[^']*'|"(?:[^"\\]|\\.)*("?)/g, withoutText)
		.replace(/\d?>\s*(&\d|\/dev\/null)/g, "");
	if (/[>`]|\$\(/.test(bare)) return false;
	return bare.split(/\|\||&&|[|;&\n]/).every(isReadOnlySegment);
}

/** A stand-in for quoted text, which runs nothing except the substitutions in double quotes. What nothing ends stays. */
function withoutText(quoted: string, end: string | undefined): string {
	if (end === "") return quoted;
	return quoted.startsWith('"') && /`|\$\(/.test(quoted) ? "`" : "_";
}

const viewingCommand = /(?:^|[\s;&|"'`])(?:cat|nl|head|tail|less|bat|sed -n|git show|git diff)\s/;

/** Returns true if a shell command prints the content of files. */
export function isViewingCommand(command: string): boolean {
	return viewingCommand.test(command);
}

/** The shell text of a call, under any of the argument names that agents use. */
export function commandText(args: UnknownRecord): string | undefined {
	const value = args.command ?? args.cmd ?? args.script ?? args.input ?? args.code ?? args.chars;
	if (typeof value === "string") return value;
	if (!Array.isArray(value) || !value.every((word) => typeof word === "string")) return undefined;
	// In ["bash", "-lc", "text"], the text is the command.
	return value.length === 3 && /^-l?c$/.test(String(value[1])) ? String(value[2]) : value.join(" ");
}
