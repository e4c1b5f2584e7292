/** `/cwl report`: this session as one HTML page next to its file. */
import * as host from "@mariozechner/pi-coding-agent";
import { CwlError } from "#pi";
import { importInTurn } from "../import-in-turn.ts";
import { budgetOf } from "../state/budget.ts";
import type { Runtime } from "../state/runtime.ts";
import type { Command } from "./command.ts";

const REDACT = "--redact";

export function createReport(runtime: Runtime): Command {
	return {
		usage: "report [--redact]",
		values: () => [REDACT],
		async run(value, ctx) {
			if (value !== "" && value !== REDACT) {
				throw new CwlError(
					"bad-report",
					`report takes only ${REDACT}, which leaves out keys, tokens and homes.`,
				);
			}
			const file = ctx.sessionManager.getSessionFile();
			if (!file)
				throw new CwlError("no-file", "this session is kept in memory only: a report needs its file.");
			const { makeReport, reportPath, writeReport } = await importInTurn(() => import("#lab"));
			const options = { budget: budgetOf(runtime, ctx), model: ctx.model, isRedacted: value === REDACT };
			const report = await makeReport(file, host, options);
			const path = reportPath(file);
			await writeReport(path, report, new Date());
			return `the report is in ${path}`;
		},
	};
}
