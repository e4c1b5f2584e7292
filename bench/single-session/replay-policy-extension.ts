/**
 * Lets a policy of `cwl replay` manage the context of the real pi. CWL_BENCH_POLICY names it; CWL_BENCH_BUDGET is its
 * budget.
 */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { FixedTokens } from "#core/ledger";
import {
	type CountTokens,
	defaultToolTable,
	type HostMessage,
	loadTokenCounter,
	TOOL_FRAMING,
	toolText,
} from "#pi";
import { createSizes, parsePolicies } from "#replay";

/** The share of the budget that is left for differences between the server's count and ours. */
const MARGIN = 0.01;

export default function replayPolicy(pi: ExtensionAPI) {
	const { CWL_BENCH_POLICY: name = "none", CWL_BENCH_BUDGET: budget } = process.env;
	const [policy] = parsePolicies(name);
	let project: ((history: readonly HostMessage[]) => readonly HostMessage[]) | undefined;

	async function open(ctx: ExtensionContext) {
		const count = await loadTokenCounter();
		const manage = policy?.open({
			count,
			sizes: createSizes(count),
			budget: Number(budget) * (1 - MARGIN),
			fixed: measure(pi, ctx, count),
			kinds: defaultToolTable,
			summaries: [],
		});
		const known = createMemory();
		return (history: readonly HostMessage[]) => manage?.(known(history)).messages ?? history;
	}

	pi.on("session_start", () => {
		project = undefined;
	});
	pi.on("context", async (event, ctx) => {
		project ??= await open(ctx);
		return { messages: [...project(event.messages)] };
	});
}

/** pi passes new copies for each request; replay policies expect the same objects again. */
function createMemory(): (history: readonly HostMessage[]) => readonly HostMessage[] {
	const seen: HostMessage[] = [];
	return (history) =>
		history.map((message, index) => {
			const earlier = seen[index];
			if (earlier && isSame(earlier, message)) return earlier;
			seen[index] = message;
			return message;
		});
}

function isSame(a: HostMessage, b: HostMessage): boolean {
	if (a.role !== b.role || a.timestamp !== b.timestamp) return false;
	return a.role !== "toolResult" || b.role !== "toolResult" || a.toolCallId === b.toolCallId;
}

function measure(pi: ExtensionAPI, ctx: ExtensionContext, count: CountTokens): FixedTokens {
	const active = new Set(pi.getActiveTools());
	const tools = pi.getAllTools().filter((tool) => active.has(tool.name));
	const framing = tools.length * TOOL_FRAMING;
	return { system: count(ctx.getSystemPrompt()), tools: count(toolText(tools)) + framing };
}
