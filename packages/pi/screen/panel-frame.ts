/** The lines around the parts of the panel: thin rules that carry the titles. */
import { fitLine, type Line, span, widthOfLine } from "./spans.ts";

/** A part of the panel under a title, which stands in the rule above it. */
export interface Section {
	readonly title: string;
	/** At the right end of the rule, where there is room. */
	readonly note?: Line;
	readonly rows: readonly Line[];
}

/** Both corners of a rule. */
export const corners = { top: ["╭", "╮"], middle: ["├", "┤"], bottom: ["╰", "╯"] } as const;

/** The least of the rule itself that is seen. */
const MIN_RULE = 6;

/** A rule of `width` columns, with words in it. */
export function rule([left, right]: readonly [string, string], title: Line, note: Line, width: number): Line {
	const room = Math.max(0, width - 4);
	const shown = widthOfLine(title) > room ? fitLine(title, room) : title;
	const fits = widthOfLine(shown) + widthOfLine(note) + MIN_RULE <= room;
	const tail = fits ? note : [];
	const between = Math.max(0, room - widthOfLine(shown) - widthOfLine(tail));
	return fitLine(
		[span(`${left}─`, "dim"), ...shown, span("─".repeat(between), "dim"), ...tail, span(`─${right}`, "dim")],
		width,
	);
}

export function titleOf(text: string): Line {
	return [span(` ${text} `, "strong")];
}

export function noteOf(line: Line): Line {
	return line.length === 0 ? [] : [span(" "), ...line, span(" ")];
}

/** A section over the whole width. */
export function drawSection({ title, note = [], rows }: Section, width: number): readonly Line[] {
	const head = rule(corners.middle, titleOf(title), noteOf(note), width);
	return [head, ...rows.map((row) => boxed(row, width))];
}

/** Sections in `rows` lines of the columns `left` and `right`; the first title of each stands in the rule above both. */
export function drawColumns(
	left: Section,
	right: readonly Section[],
	width: number,
	share: number,
	rows: number,
): readonly Line[] {
	const leftWidth = Math.floor((width - 7) * share);
	const rightWidth = width - 7 - leftWidth;
	const head = [
		...rule(["├", "┬"], titleOf(left.title), noteOf(left.note ?? []), leftWidth + 4),
		...rule(["─", "┤"], titleOf(right[0]?.title ?? ""), noteOf(right[0]?.note ?? []), rightWidth + 3),
	];
	const side = right.flatMap((section, index) => [
		...(index === 0 ? [] : [[], innerTitle(section, rightWidth)]),
		...section.rows,
	]);
	const lines = filled(left.rows, rows).map((row, index) => [
		span("│ ", "dim"),
		...fitLine(row, leftWidth),
		span(" │ ", "dim"),
		...fitLine(side[index] ?? [], rightWidth),
		span(" │", "dim"),
	]);
	return [head, ...lines];
}

function innerTitle({ title, note = [] }: Section, width: number): Line {
	const head = span(`${title} `, "strong");
	const tail = note.length > 0 ? [span(" "), ...note] : [];
	const between = Math.max(0, width - widthOfLine([head]) - widthOfLine(tail));
	return [head, span("─".repeat(between), "dim"), ...tail];
}

export function boxed(line: Line, width: number): Line {
	return [span("│ ", "dim"), ...fitLine(line, width - 4), span(" │", "dim")];
}

/** Exactly `room` rows. */
export function filled(rows: readonly Line[], room: number): readonly Line[] {
	return [...rows, ...Array.from({ length: Math.max(0, room - rows.length) }, () => [])].slice(0, room);
}
