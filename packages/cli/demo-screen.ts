/** The progress of the demo: a block that a terminal redraws in place, or lines for a log. */
import { countOf, formatTokens } from "#basics";
import { shorten } from "#pi/screen";
import type { DemoProgress } from "./demo-run.ts";

export interface DemoScreen {
	/** Tokens. */
	readonly budget: number;
	readonly tasks: number;
}

/** The part of a terminal that the demo writes to. */
export interface ScreenStream {
	readonly isTTY?: boolean;
	readonly columns?: number;
	write(text: string): unknown;
}

const BAR_CELLS = 30;
const DEFAULT_COLUMNS = 80;

/** Shows each progress as it comes. A terminal keeps only problems and the last state of the block. */
export function createReporter(screen: DemoScreen, stream: ScreenStream): (progress: DemoProgress) => void {
	return stream.isTTY ? createLiveBlock(screen, stream) : createLog(screen, stream);
}

function createLog(screen: DemoScreen, stream: ScreenStream): (progress: DemoProgress) => void {
	return (progress) => {
		const line = lineOf(progress, screen);
		if (line) stream.write(`${line.place === "task" ? "\n" : "  "}${line.text}\n`);
	};
}

/** One line about a progress, by the place that the block has for it. */
interface ScreenLine {
	readonly place: "task" | "gauge" | "pass" | "verified";
	readonly text: string;
}

/** Undefined for what the screen does not show. */
function lineOf(progress: DemoProgress, { budget, tasks }: DemoScreen): ScreenLine | undefined {
	switch (progress.type) {
		case "started":
			return { place: "task", text: `scratch repository ${progress.repository}` };
		case "task":
			return { place: "task", text: `task ${progress.number} of ${tasks}: ${firstLine(progress.prompt)}` };
		case "request":
			return { place: "gauge", text: drawGauge(progress.record, budget) };
		case "pass":
			return { place: "pass", text: `last pass: ${progress.text}` };
		case "verified":
			return { place: "verified", text: progress.solved ? "verified in the repository" : "NOT solved" };
		case "comparing":
			return { place: "task", text: "replaying the session under pi's compaction and without eviction" };
		default:
			return undefined;
	}
}

/** Returns the lines of the block after each progress, none wider than the terminal. */
export function createBlock(
	screen: DemoScreen,
	columns: () => number,
): (progress: DemoProgress) => readonly string[] {
	const texts = { task: "", gauge: "", pass: "", verified: "" };
	let [solved, requests, tokens] = [0, 0, 0];
	return (progress) => {
		const line = lineOf(progress, screen);
		if (line) texts[line.place] = line.text;
		if (progress.type === "verified" && progress.solved) solved += 1;
		if (progress.type === "request") {
			requests += 1;
			tokens += progress.record.promptTokens;
		}
		const totals = `${solved} verified · ${countOf(requests, "request")} · ${formatTokens(tokens)} tokens`;
		const pass = texts.pass === "" ? "" : ` · ${texts.pass}`;
		return [texts.task, texts.gauge, `${totals}${pass}`].map((text) => shorten(text, columns() - 1));
	};
}

function createLiveBlock(screen: DemoScreen, stream: ScreenStream): (progress: DemoProgress) => void {
	const follow = createBlock(screen, () => stream.columns ?? DEFAULT_COLUMNS);
	let drawn = 0;
	return (progress) => {
		const problem = problemIn(progress);
		const lines = follow(progress);
		// Up to where the block begins, and away with all below.
		const erase = drawn > 0 ? `\x1b[${drawn}A\x1b[J` : "";
		stream.write(
			`${erase}${problem === undefined ? "" : `${problem}\n`}${lines.map((line) => `${line}\n`).join("")}`,
		);
		drawn = lines.length;
	};
}

/** A line that must stay on the screen, if any. */
function problemIn(progress: DemoProgress): string | undefined {
	if (progress.type === "verified" && !progress.solved) return `task ${progress.number} is NOT solved`;
	if (progress.type === "request" && progress.record.refused)
		return `REFUSED: ${progress.record.refused.message}`;
	return undefined;
}

type RequestRecord = Extract<DemoProgress, { type: "request" }>["record"];

function drawGauge({ promptTokens, cachedTokens, refused }: RequestRecord, budget: number): string {
	const filled = Math.min(BAR_CELLS, Math.round((promptTokens / budget) * BAR_CELLS));
	const bar = "█".repeat(filled).padEnd(BAR_CELLS, "░");
	const size = `${formatTokens(promptTokens)}/${formatTokens(budget)}`.padStart(9);
	return `${bar} ${size}  ${refused ? `REFUSED: ${refused.message}` : `${formatTokens(cachedTokens)} from the cache`}`;
}

const MAX_PROMPT = 90;

function firstLine(text: string): string {
	return shorten(text.split("\n", 1)[0] ?? "", MAX_PROMPT);
}
