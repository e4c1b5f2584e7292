/**
 * `/cwl health`: the metrics of the context, and what is wrong with it. `/cwl report`: this session as one HTML page next to
 * its file, or its state as one line of JSON for scripts and other extensions.
 */

import { existsSync } from "node:fs";
import { printable } from "#basics";
import { refusal } from "#pi";
import { describeHealth, describeSession, type HealthRow } from "#pi/health";
import { alertText, answerHealth, answerNext, answerSaving, hang } from "#pi/screen";
import { readReport, refreshCosts } from "../costs.ts";
import { importInTurn, noticeWidth } from "../host.ts";
import { readState } from "../read-state.ts";
import type { Runtime } from "../state/runtime.ts";
import type { Command } from "./command.ts";

const NO_FILE = "Savings: not known, since the session is kept in memory only.";

export function createHealth(runtime: Runtime): Command {
	return {
		usage: "health",
		purpose: "shows metrics and open alerts",
		async run(_value, ctx) {
			await refreshCosts(runtime, ctx, true);
			const state = await readState(runtime, ctx);
			const { health, alerts, requests, settings } = state;
			// While cwl is off, the first line says that.
			const named = settings.enabled === "true" ? 1 : 0;
			const width = noticeWidth();
			const rows = [...describeHealth(health), ...describeSession(state)];
			const columns = ({ metric, value }: HealthRow) => `  ${metric.padEnd(12)} ${value.padStart(6)}  `;
			return [
				`health: ${answerHealth({ settings, alerts: alerts.slice(0, 1) })}`,
				...alerts.slice(named).map((alert) => hang(`  ${alert.grade}: `, alertText(alert), width)),
				hang("  ", health.costs || requests === 0 ? answerSaving(health.costs, requests) : NO_FILE, width),
				hang("  ", answerNext(state), width),
				...rows.map((row) => hang(columns(row), row.detail, width)),
				...(settings.enabled === "true" ? [hang("  budget ", state.budgetReason, width)] : []),
			].join("\n");
		},
	};
}

const REDACT = "--redact";
const JSON_STATE = "--json";

export function createReport(runtime: Runtime): Command {
	return {
		usage: "report [--redact|--json]",
		purpose: "writes an HTML page, or prints the state as JSON",
		values: [REDACT, JSON_STATE],
		isData: (value) => value === JSON_STATE,
		async run(value, ctx) {
			if (value === JSON_STATE) return printable(JSON.stringify(await readState(runtime, ctx)));
			if (value !== "" && value !== REDACT) {
				throw refusal(
					`report takes only ${REDACT}, which leaves out keys, tokens and homes, or ${JSON_STATE}, which prints the state.`,
				);
			}
			const file = ctx.sessionManager.getSessionFile();
			if (!file) throw refusal("this session is kept in memory only: a report needs its file.");
			if (!existsSync(file)) return "nothing to report yet: no request has been answered.";
			const { reportPath, writeReport } = await importInTurn(() => import("#replay/pages"));
			const report = await readReport(runtime, ctx, file, value === REDACT);
			const path = reportPath(file);
			await writeReport(path, report, new Date());
			return `the report is in ${path}`;
		},
	};
}
