/** `/cwl health`: the metrics of the context, and what is wrong with it. */
import { describeHealth, describeSession, type HealthRow } from "#pi/health";
import { hang } from "#pi/screen";
import { noticeWidth } from "../notice.ts";
import { readState } from "../read-state.ts";
import type { Runtime } from "../state/runtime.ts";
import type { Command } from "./command.ts";
import { readCosts } from "./report.ts";

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
