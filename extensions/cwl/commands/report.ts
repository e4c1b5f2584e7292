/**
 * `/cwl health`: the metrics of the context, and what is wrong with it. `/cwl report`: this session as one HTML page next to
 * its file, or its state as one line of JSON for scripts and other extensions.
 */
import { existsSync } from "node:fs";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { printable } from "#core/transcript";
import { refusal } from "#pi";
import { describeHealth, describeSession, type HealthRow, type SessionCosts } from "#pi/health";
import { hang } from "#pi/screen";
import { importInTurn, noticeWidth } from "../host.ts";
import { readState } from "../read-state.ts";
import type { Runtime } from "../state/runtime.ts";
import type { Command } from "./command.ts";

const NO_REPLAY = "not possible: the session is kept in memory only, or has no answer yet";

export function createHealth(runtime: Runtime): Command {
	return {
		usage: "health",
		purpose: "shows metrics and open alerts",
		async run(_value, ctx) {
			runtime.health.costs = await readCosts(runtime, ctx);
			const { health, alerts, budgetReason, ...session } = await readState(runtime, ctx);
			const width = noticeWidth();
			const rows = [...describeHealth(health), ...describeSession(session)];
			const columns = ({ metric, value }: HealthRow) => `  ${metric.padEnd(12)} ${value.padStart(6)}  `;
			return [
				alerts.length === 0 ? "health: no problems found" : `health: ${alerts.length} open`,
				...alerts.map(({ grade, text, remedy }) =>
					hang(`  ${grade}: `, `${text}. What helps: ${remedy}.`, width),
				),
				...rows.map((row) => hang(columns(row), row.detail, width)),
				hang("  budget ", budgetReason, width),
				...(health.costs ? [] : [hang("  replay ", NO_REPLAY, width)]),
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

/** The costs of the session in a replay; null for one that is kept in memory only, or has no answer yet. */
async function readCosts(runtime: Runtime, ctx: ExtensionContext): Promise<SessionCosts | null> {
	const file = ctx.sessionManager.getSessionFile();
	if (!file || !existsSync(file)) return null;
	const { costs } = await readReport(runtime, ctx, file, false);
	const arm = (kind: string) => costs.arms.find((one) => one.kind === kind);
	const [cwl, compaction, none] = [arm("cwl"), arm("compaction"), arm("none")];
	if (!cwl || !compaction || !none) return null;
	const totals = { cwl: cwl.total, compaction: compaction.total, none: none.total };
	return { unit: costs.unit, ...totals, requests: cwl.sizes.length };
}

async function readReport(runtime: Runtime, ctx: ExtensionContext, file: string, isRedacted: boolean) {
	const { makeReport } = await importInTurn(() => import("#replay/session-report"));
	const isAuto = runtime.settings.loaded.settings.budget.type === "auto";
	const budget = { budget: runtime.gauge.read(ctx).budget, isAuto };
	return makeReport(file, { budget, model: ctx.model, isRedacted });
}
