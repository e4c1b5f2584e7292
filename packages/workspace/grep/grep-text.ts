import { countOf } from "../text/count-of.ts";
import { showName } from "../text/shown-name.ts";
import { type CountTokens, takeFittingLines } from "../text/token-limit.ts";
import type { GrepResult } from "./grep.ts";
import type { GrepLine } from "./line-window.ts";
import type { FileMatches } from "./search.ts";

const MAX_TOKENS = 5000;

/** The answer for the model: at most 5,000 tokens of matches, then notes about what is left out. */
export function formatGrepResult(result: GrepResult, count: CountTokens): string {
	const shown = result.mode === "lines" ? showLines(result, count) : showFiles(result, count);
	const head = result.matches === 0 ? ["No matches."] : shown.lines;
	return [...head, ...describeRest(result, shown.matches, shown.files)].join("\n");
}

interface Shown {
	readonly lines: readonly string[];
	readonly matches: number;
	readonly files: number;
}

/** A path is on a line of its own, with `12: text` for a match and `13- text` for a line around it below. */
function showLines(result: GrepResult, count: CountTokens): Shown {
	const lines: string[] = [];
	let tokensLeft = MAX_TOKENS;
	let matches = 0;
	let files = 0;
	for (const file of result.files) {
		if (file.lines.length === 0) break;
		const block = [...(files > 0 ? [""] : []), showName(file.path), ...file.lines.map(showLine)];
		const { lines: fitting, tokens } = takeFittingLines(block, tokensLeft, count);
		const whole = fitting.length === block.length;
		if (!whole && fitting.length < (files > 0 ? 3 : 2)) break;
		lines.push(...fitting);
		tokensLeft -= tokens;
		const taken = file.lines.slice(0, fitting.length - (files > 0 ? 2 : 1));
		matches += taken.filter((line) => line.type === "match").length;
		files += 1;
		if (!whole) break;
	}
	return { lines, matches, files };
}

function showFiles(result: GrepResult, count: CountTokens): Shown {
	const show = (file: FileMatches) =>
		result.mode === "count" ? `${showName(file.path)}: ${file.count}` : showName(file.path);
	const { lines } = takeFittingLines(result.files.slice(0, result.limit).map(show), MAX_TOKENS, count);
	const shown = result.files.slice(0, lines.length);
	return { lines, matches: shown.reduce((sum, file) => sum + file.count, 0), files: lines.length };
}

/** Control characters could move a terminal's cursor, and escaped bytes are no characters at all. */
function showLine(line: GrepLine): string {
	const text = line.text.replace(/(?!\t)\p{Cc}|\p{Cs}/gu, "\uFFFD");
	return line.type === "match" ? `${line.number}: ${text}` : `${line.number}- ${text}`;
}

/** Notes about matches that are not shown and files that were not searched. */
function describeRest(result: GrepResult, matches: number, files: number): readonly string[] {
	const notes: string[] = [];
	const { large, unreadable, unsearched } = result.skipped;
	if (matches < result.matches) {
		const rest = `${result.matches - matches} of ${result.matches} matching lines`;
		notes.push(
			`${rest} in ${countOf(result.files.length, "file")} not shown: narrow the search or raise limit`,
		);
	} else if (files < result.files.length) {
		notes.push(`${result.files.length - files} of ${result.files.length} files not shown`);
	}
	if (unsearched > 0)
		notes.push(
			`time was up: ${countOf(unsearched, "file")} not searched; use a simpler pattern or a narrower path`,
		);
	if (large > 0) notes.push(`${countOf(large, "file")} larger than 16 MiB skipped`);
	if (unreadable > 0) notes.push(`${countOf(unreadable, "file")} could not be read`);
	if (result.unreadableDirectories > 0)
		notes.push(`${countOf(result.unreadableDirectories, "directory", "directories")} could not be read`);
	return notes.map((note) => `(${note})`);
}
