import { CwlError, messageOf, replaceTextFile } from "#pi";
import type { SessionReport } from "../session-report/session-report.ts";
import { formatSessionPage } from "./session-page.ts";

/**
 * Write the page of a report, stamped with the day; only its owner may read it.
 * @throws CwlError `bad-report` when it cannot be written
 */
export async function writeReport(path: string, report: SessionReport, now: Date): Promise<void> {
	try {
		await replaceTextFile(path, formatSessionPage(report, `made on ${now.toISOString().slice(0, 10)}`));
	} catch (error) {
		throw new CwlError("bad-report", `${path} cannot be written (${messageOf(error)}).`);
	}
}

/** Where the page of a session goes unless somebody says where. */
export function reportPath(file: string): string {
	return `${file.replace(/\.jsonl$/, "")}.report.html`;
}
