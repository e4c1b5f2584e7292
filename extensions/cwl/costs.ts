/** The costs of the open session in a replay of its file, compared with pi's compaction and with no eviction. */
import { existsSync, statSync } from "node:fs";
import type { ExtensionContext, SessionEntry } from "@mariozechner/pi-coding-agent";
import { type HostMessage, hasFailed, isAnswer } from "#pi/codec";
import { importInTurn } from "./host.ts";
import type { Runtime } from "./state/runtime.ts";

/** The replay of a larger file takes seconds, so that only a command asks for it; in bytes. */
const QUICK_FILE = 2_000_000;

/** The types of entries that pi's own calls leave. */
const HOST_CALLS: ReadonlySet<string> = new Set(["compaction", "branch_summary", "usage"]);

/** The model calls that the session's file tells of, on all branches: answers, and those of pi itself such as a compaction. */
export function countCalls({ sessionManager }: Pick<ExtensionContext, "sessionManager">): number {
	const isCall = (entry: SessionEntry) =>
		entry.type === "message" ? isAnswered(entry.message) : HOST_CALLS.has(entry.type);
	return sessionManager.getEntries().filter(isCall).length;
}

/** A request that was refused or stopped counts if the provider charged something for it. */
function isAnswered(message: HostMessage): boolean {
	return isAnswer(message) && (!hasFailed(message) || message.usage.totalTokens > 0);
}

/** The report of the session's file, under the budget in force. */
export async function readReport(runtime: Runtime, ctx: ExtensionContext, file: string, isRedacted: boolean) {
	const { makeReport } = await importInTurn(() => import("#replay/session-report"));
	const isAuto = runtime.settings.loaded.settings.budget.type === "auto";
	const budget = { budget: runtime.gauge.read(ctx).budget, isAuto };
	const leaf = ctx.sessionManager.getLeafId() ?? undefined;
	return makeReport(file, { budget, leaf, isRedacted });
}

/**
 * Works the costs out again if a model was called since, or the budget is another one. They stay as they are for a session that is
 * kept in memory only or has no answer, and for a large one unless `isAsked`.
 */
export async function refreshCosts(runtime: Runtime, ctx: ExtensionContext, isAsked: boolean): Promise<void> {
	const { health } = runtime;
	const file = ctx.sessionManager.getSessionFile();
	const requests = countCalls(ctx);
	const now = runtime.gauge.read(ctx).budget;
	const isCurrent = (costs: typeof health.costs) => costs?.requests === requests && costs.budget === now;
	if (!file || !existsSync(file) || requests === 0 || isCurrent(health.costs)) return;
	if (!isAsked && statSync(file).size > QUICK_FILE) return;
	const { costs, budget } = await readReport(runtime, ctx, file, false);
	const arm = (kind: string) => {
		const found = costs.arms.find((one) => one.kind === kind);
		return (
			found && {
				cost: found.total,
				tokens: found.sizes.reduce(
					(sum, size) => sum + size,
					costs.otherCalls.tokens + found.summaries.tokens,
				),
			}
		);
	};
	const cwl = arm("session");
	const compaction = arm("compaction");
	const none = arm("none");
	if (!cwl || !compaction || !none) return;
	const { elsewhere } = costs.otherCalls;
	health.costs = { unit: costs.unit, cwl, compaction, none, requests, budget, elsewhere };
}
