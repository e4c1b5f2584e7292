import { mergeRows } from "../run/rows-file.ts";
import { runOf } from "../run/run.ts";
import { createReport, type ReportOptions } from "./create-report.ts";
import type { Report } from "./report.ts";

/**
 * Reports on files of rows as one run over all their sessions would; interrupted if rows are missing.
 * @throws CwlError `other-rows` if they are of different replays, `bad-rows`, `not-found`, `not-readable`
 */
export async function mergeReport(paths: readonly string[]): Promise<Report> {
	const { header, outcomes } = await mergeRows<ReportOptions>(paths);
	const { found, planned, settings } = header;
	const isInterrupted = outcomes.size < planned;
	return createReport({ ...runOf(found, outcomes), isInterrupted, planned }, settings);
}
