import type { GrepResult } from "./grep.ts";
import type { FileMatches, GrepLine } from "./grep-engine.ts";
import { showName } from "./shown-name.ts";
import { type CountTokens, takeFitting } from "./token-room.ts";

const MAX_TOKENS = 5000;

/** What the model reads: at most 5,000 tokens of matches, then what was left out. */
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

/** A path on a line of its own, below it `12: text` for a match and `13- text` for the lines around it. */
function showLines(result: GrepResult, count: CountTokens): Shown {
	const lines: string[] = [];
	let room = MAX_TOKENS;
	let matches = 0;
	let files = 0;
	for (const file of result.files) {
		if (file.lines.length === 0) break;
		const block = [...(files > 0 ? [""] : []), showName(file.path), ...file.lines.map(showLine)];
		const { lines: fitting, tokens } = takeFitting(block, room, count);
		const whole = fitting.length === block.length;
		if (!whole && fitting.length < (files > 0 ? 3 : 2)) break;
		lines.push(...fitting);
		room -= tokens;
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
	const { lines } = takeFitting(result.files.slice(0, result.limit).map(show), MAX_TOKENS, count);
	const shown = result.files.slice(0, lines.length);
	return { lines, matches: shown.reduce((sum, file) => sum + file.count, 0), files: lines.length };
}

/** Control characters could move a terminal's cursor, and escaped bytes are no characters at all. */
function showLine(line: GrepLine): string {
	const text = line.text.replace(/(?!\t)\p{Cc}|\p{Cs}/gu, "\uFFFD");
	return line.type === "match" ? `${line.number}: ${text}` : `${line.number}- ${text}`;
}

function describeRest(result: GrepResult, matches: number, files: number): readonly string[] {
	const notes: string[] = [];
	const { large, unreadable, unsearched } = result.skipped;
	if (matches < result.matches) {
		const rest = `${result.matches - matches} of ${result.matches} matching lines`;
		notes.push(`${rest} in ${result.files.length} files not shown: narrow the search or raise limit`);
	} else if (files < result.files.length) {
		notes.push(`${result.files.length - files} of ${result.files.length} files not shown`);
	}
	if (unsearched > 0)
		notes.push(`time was up: ${unsearched} files not searched; use a simpler pattern or a narrower path`);
	if (large > 0) notes.push(`${large} files larger than 16 MiB skipped`);
	if (unreadable > 0) notes.push(`${unreadable} files could not be read`);
	if (result.unreadableDirectories > 0)
		notes.push(`${result.unreadableDirectories} directories could not be read`);
	return notes.map((note) => `(${note})`);
}
