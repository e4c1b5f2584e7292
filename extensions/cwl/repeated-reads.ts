/** Reads of what is unchanged and still in sight are answered in a line. */
import type { AgentToolResult } from "@mariozechner/pi-agent-core";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { totalTokens } from "#core/ledger";
import { isInSight, onlyText, READ_BEFORE, type ReadAnswer } from "#pi";
import type { Runtime } from "./state/runtime.ts";

type Result = AgentToolResult<unknown>;

/** Shorter texts are repeated; in characters. */
const WORTH_IT = 4 * READ_BEFORE.length;
/** The share of the budget that must be free, so that no pass takes the text before it is looked for. */
const FREE = 0.1;

/** The answer to a read, or a line in its place. */
export async function spareRepeat(
	runtime: Runtime,
	ctx: ExtensionContext,
	call: ReadAnswer["call"],
	result: Result,
): Promise<Result> {
	const text = onlyText(result.content);
	if (!runtime.settings.isEnabled || text === undefined || text.length < WORTH_IT) return result;
	const { input, messages } = await runtime.session.planning(ctx);
	if (totalTokens(input.graph, input.view, input.fixed) > (1 - FREE) * input.budget) return result;
	const visible = (await runtime.session.managed()).preview(messages);
	if (!isInSight(visible, { cwd: ctx.cwd, call, text })) return result;
	return { ...result, content: [{ type: "text", text: READ_BEFORE }] };
}
