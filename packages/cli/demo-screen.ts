/** The progress of the demo: a block that a terminal redraws in place, or lines for a log. */
import { countOf, formatTokens, shorten } from "#pi/screen";
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
	const say = (line: string) => stream.write(`${line}\n`);
	return (progress) => {
		switch (progress.type) {
			case "started":
				return void say(`scratch repository ${progress.repository}`);
			case "task":
				return void say(`\ntask ${progress.number} of ${screen.tasks}: ${firstLine(progress.prompt)}`);
			case "request":
				return void say(`  ${drawGauge(progress.record, screen.budget)}`);
			case "pass":
				return void say(`  eviction pass: ${progress.text}`);
			case "status":
			case "state":
				return;
			case "verified":
				return void say(progress.solved ? "  verified in the repository" : "  NOT solved");
			case "comparing":
				return void say("\nreplaying the session under pi's compaction and without eviction");
			default:
				progress satisfies never;
		}
	};
}

interface Block {
	readonly task: string;
	readonly gauge: string;
	readonly solved: number;
	readonly requests: number;
	readonly tokens: number;
	/** The extension's own words for the last eviction; empty before the first. */
	readonly evicted: string;
}

const emptyBlock: Block = { task: "starting pi", gauge: "", solved: 0, requests: 0, tokens: 0, evicted: "" };

/** Returns the lines of the block after each progress. */
export function createBlock(
	screen: DemoScreen,
	columns: () => number,
): (progress: DemoProgress) => readonly string[] {
	let block = emptyBlock;
	return (progress) => {
		block = update(block, progress, screen);
		return drawBlock(block, columns());
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

/** The lines of the block, none wider than the terminal. */
function drawBlock(
	{ task, gauge, solved, requests, tokens, evicted }: Block,
	columns: number,
): readonly string[] {
	const totals = `${solved} verified · ${countOf(requests, "request")} · ${formatTokens(tokens)} tokens`;
	const pass = evicted === "" ? "" : ` · last pass ${evicted}`;
	return [task, gauge, `${totals}${pass}`].map((line) => shorten(line, columns - 1));
}

function update(block: Block, progress: DemoProgress, { budget, tasks }: DemoScreen): Block {
	switch (progress.type) {
		case "task":
			return { ...block, task: `task ${progress.number} of ${tasks}: ${firstLine(progress.prompt)}` };
		case "request": {
			const { promptTokens } = progress.record;
			const [requests, tokens] = [block.requests + 1, block.tokens + promptTokens];
			return { ...block, gauge: drawGauge(progress.record, budget), requests, tokens };
		}
		case "status":
			return { ...block, evicted: evictedIn(progress.text) ?? block.evicted };
		case "verified":
			return { ...block, solved: block.solved + (progress.solved ? 1 : 0) };
		case "comparing":
			return { ...block, task: "replaying the session under pi's compaction and without eviction" };
		case "started":
		case "pass":
		case "state":
			return block;
		default:
			progress satisfies never;
			return block;
	}
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

/** `-9.4k (8 episodes)` in the extension's footer line. */
function evictedIn(footer: string): string | undefined {
	return /-\S+ \(\d+ episodes?\)/.exec(footer)?.[0];
}

const MAX_PROMPT = 90;

function firstLine(text: string): string {
	return shorten(text.split("\n", 1)[0] ?? "", MAX_PROMPT);
}
