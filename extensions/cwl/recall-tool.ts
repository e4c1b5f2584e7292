/** The recall tool: exact text of what left the context, from the session's branch. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { loadTokenCounter } from "#pi/codec";
import { toolWords } from "#pi/prompt";
import { emit } from "./events.ts";
import { importInTurn } from "./import-in-turn.ts";
import { readEarlier } from "./soft-resume.ts";
import type { Runtime } from "./state/runtime.ts";
import { readBranch } from "./state/session-state.ts";

export function registerRecall(pi: ExtensionAPI, runtime: Runtime) {
	pi.registerTool({
		...toolWords.recall,
		label: "recall",
		async execute(_id, params, _signal, _onUpdate, ctx) {
			const { query, page = 1 } = params as { readonly query: string; readonly page?: number };
			const { text, images, pages } = await recallFrom(runtime, ctx, query, page);
			emit(pi, "cwl:recall", { by: "model", query, page, pages });
			return { content: [{ type: "text", text }, ...images], details: { page, pages } };
		},
	});
}

/** One page of what a query stands for in the branch that the session is on. */
export async function recallFrom(runtime: Runtime, ctx: ExtensionContext, query: string, page: number) {
	const { answerRecall } = await importInTurn(() => import("#pi/recall"));
	const session = await runtime.session.managed();
	const { context, whole: branch } = readBranch(ctx);
	const earlier = await readEarlier(ctx);
	const whole = earlier.messages.length > 0 ? [...earlier.messages, ...(branch ?? context)] : branch;
	const known = {
		context: { messages: context, ...session.inspect(context) },
		whole: whole && { messages: whole, graph: session.inspect(whole).graph },
	};
	const inWorkspace = query.startsWith(`${ctx.cwd}/`) ? query.slice(ctx.cwd.length + 1) : query;
	const takesImages = ctx.model?.input.includes("image") ?? false;
	const answer = answerRecall(known, { query: inWorkspace, page, takesImages }, await loadTokenCounter());
	if (answer.pages > 0 || earlier.problem === undefined) return answer;
	return { ...answer, text: `${answer.text} An earlier session could not be searched: ${earlier.problem}` };
}
