/** Removes from an output what tells a model nothing: terminal colors, progress that was overwritten, repeated lines. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the sequences that terminals interpret.
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
/** From so many equal lines on, one of them and a count is shorter. */
const MIN_REPEATS = 3;
/** A share that is done, next to a bar or a count of steps: other figures may be what was asked for. */
const PROGRESS = /\d\s?%/;
const BAR = /[#=>█▓▒░━╸╺·.-]{3,}|\(\d+\/\d+\)/;

/** The text without noise; the same text if it has none. Linear in its length. */
export function removeNoise(text: string): string {
	const plain = text.includes("\u001b") ? text.replace(ANSI, "") : text;
	const lines = plain.split("\n").map(lastDrawn);
	const kept: string[] = [];
	for (let start = 0; start < lines.length; ) {
		const end = endOfRun(lines, start);
		kept.push(...shortenRun(lines.slice(start, end)));
		start = end;
	}
	return kept.join("\n");
}

/** A progress bar draws over its line again and again; only what it drew last is left on a screen. */
function lastDrawn(line: string): string {
	const at = line.replace(/\r+$/, "").lastIndexOf("\r");
	return line.slice(at + 1);
}

/** The end of the run of lines that say the same as the one at `start`, or show the same progress. */
function endOfRun(lines: readonly string[], start: number): number {
	const shape = shapeOf(lines[start] ?? "");
	let end = start + 1;
	while (end < lines.length && shapeOf(lines[end] ?? "") === shape) end += 1;
	return end;
}

/** Lines of progress are compared without their figures and bars. */
function shapeOf(line: string): string {
	return PROGRESS.test(line) && BAR.test(line) ? line.replace(/[\d.,:]+|[#=>█▓▒░━╸╺·-]+|\s+/g, "") : line;
}

/** Of equal lines the first and their number, of progress the last; blank lines have no number. All of them if that is no longer. */
function shortenRun(run: readonly string[]): readonly string[] {
	const [first = ""] = run;
	if (run.length < MIN_REPEATS) return run;
	if (first.trim() === "") return [first];
	const last = run.at(-1) ?? first;
	const short =
		last === first
			? [first, `[the line above ${run.length - 1} times more]`]
			: [`[${run.length - 1} lines of progress before this one]`, last];
	return short.join("").length < run.join("").length ? short : run;
}
