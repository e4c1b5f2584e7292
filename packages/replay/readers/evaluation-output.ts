/**
 * OpenHands' evaluation outputs, `output.jsonl`: a line is what became of one task, with the whole session in `history`
 * (`EvalOutput` in evaluation/utils/shared.py of github.com/All-Hands-AI/OpenHands, and in benchmarks/utils/models.py of
 * github.com/OpenHands/benchmarks). A line may have some MB and a file GB: lines are sessions of their own, each read
 * when its turn comes.
 */
import { openDamage } from "./composing.ts";
import { findEvents } from "./event-stream.ts";
import { parseFields } from "./json.ts";
import { findLines, LINE_LIMIT, readFirstLines, readLineAt } from "./lines.ts";
import { textOf } from "./parts.ts";
import type { Damage, Opening, RecordedLine } from "./session-reader.ts";

/** The beginning of such a file. */
export const evaluationTelltale = /^\uFEFF?\s*\{[^\n]*"instance_id"\s*:/;

/** Enough to pass damaged lines, and those of tasks that failed before they began. */
const RECOGNISED_BY = 8;

/** Rejects with the system's error when the file cannot be read. */
export async function isEvaluationOutput(path: string): Promise<boolean> {
	const first = (await readFirstLines(path, RECOGNISED_BY)).map(parseFields);
	return first.some((line) => line && "instance_id" in line && findEvents(line) !== undefined);
}

export interface EvaluationOutput {
	readonly lines: readonly RecordedLine[];
	/** Lines without a session: damaged, or of a task that failed before it began. */
	readonly damage: readonly Damage[];
}

/** Where each session of an evaluation stands; one line is in memory at a time. */
export async function listEvaluation(path: string): Promise<EvaluationOutput> {
	const lines: RecordedLine[] = [];
	const { damage, note } = openDamage(path, ":");
	for await (const span of findLines(path)) {
		const isLong = span.bytes > LINE_LIMIT;
		const text = isLong ? "" : await readLineAt(path, span);
		if (!isLong && text.trim() === "") continue;
		const fields = parseFields(text);
		if (isLong) note(span.number, "too long for a line of a session: skipped");
		else if (!fields) note(span.number, "no JSON object: skipped");
		else if (!findEvents(fields)?.length) note(span.number, "no session of events: skipped");
		else lines.push({ ...span, name: textOf(fields.instance_id) || `line-${span.number}` });
	}
	return { lines, damage };
}

/** One line as the document that it is. */
export async function openEvaluationLine(path: string, line: RecordedLine): Promise<Opening> {
	const document = parseFields(await readLineAt(path, line));
	return { path: `${path}:${line.number}`, isFolder: false, firstLines: [], document };
}
