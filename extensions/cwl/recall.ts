/**
 * Recall: exact text of what left the context, from the session's branch, for the model as the result of its tool, and on the
 * user's `/cwl recall REF` as a note at the tail of the session.
 */

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { formatTokens, nameText, showName } from "#basics";
import { findEpisode } from "#core/graph";
import { refusal } from "#pi";
import { loadTokenCounter, RECALL_MESSAGE } from "#pi/codec";
import { toolWords } from "#pi/prompt";
import { type Command, recalledIn } from "./commands/command.ts";
import { emit } from "./events.ts";
import { importInTurn } from "./host.ts";
import { readEarlier } from "./soft-resume.ts";
import type { Runtime } from "./state/runtime.ts";
import { readBranch } from "./state/session-state.ts";

export function registerRecall(pi: ExtensionAPI, runtime: Runtime) {
	// What was asked for stays until the run that follows has ended.
	pi.on("agent_end", () => {
		runtime.lastRequest.recalled = new Set();
	});
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

export function createRecall(pi: ExtensionAPI, runtime: Runtime): Command {
	return {
		usage: "recall REF",
		purpose: "brings evicted text back",
		async run(value, ctx) {
			const [, words = "", number = "1"] = /^(.*?)(?:\s+page\s+(\d+))?$/s.exec(value) ?? [];
			if (words === "") {
				throw refusal("recall what? Use /cwl recall and an episode, a path or words.");
			}
			const { input } = await runtime.session.lookAhead(ctx);
			const here = findEpisode(input.graph.episodes, words);
			const { whole } = readBranch(ctx);
			const { inspect } = await runtime.session.managed();
			// A compaction may have taken it out of what is here.
			const episode =
				whole && here.type !== "found" ? findEpisode(inspect(whole).graph.episodes, words) : here;
			const query = episode.type === "found" ? episode.episode.name : words;
			const copy = episode.type === "found" ? recalledIn(input, episode.episode) : undefined;
			const page = Number(number);
			const { text, images, pages, isStillSent } = await recallFrom(runtime, ctx, query, page);
			emit(pi, "cwl:recall", { by: "user", query, page, pages });
			if (isStillSent) {
				const end = runtime.settings.isEnabled
					? ", and passes spare it until the next run has ended"
					: " while cwl is off";
				return `${showName(query)} is still in the context: the model sees it already${end}.`;
			}
			if (pages === 0) throw refusal(text);
			pi.sendMessage({
				customType: RECALL_MESSAGE,
				content: [{ type: "text", text: `Brought back by the user's command.\n${text}` }, ...images],
				display: true,
			});
			const tokens = formatTokens((await loadTokenCounter())(text));
			const place = pages > 1 ? `page ${page} of ${pages}, ` : "";
			const next =
				page < pages ? ` /cwl recall ${showName(query)} page ${page + 1} brings the next page.` : "";
			const again = copy ? ` ${nameText(copy.name)} had recalled text of it already.` : "";
			return `recalled ${showName(query)} (${place}${tokens} tokens): the model sees it with the next request.${again}${next}`;
		},
	};
}

/** One page of the answer to a query in the branch that the session is on. */
async function recallFrom(runtime: Runtime, ctx: ExtensionContext, query: string, page: number) {
	const { answerRecall } = await importInTurn(() => import("#pi/recall"));
	const session = await runtime.session.managed();
	const { context, whole: branch } = readBranch(ctx);
	const earlier = await readEarlier(ctx);
	const whole = earlier.messages.length > 0 ? [...earlier.messages, ...(branch ?? context)] : branch;
	const known = {
		context: { messages: context, ...session.inspect(context, runtime.settings.isEnabled) },
		whole: whole && { messages: whole, graph: session.inspect(whole).graph },
	};
	const inWorkspace = query.startsWith(`${ctx.cwd}/`) ? query.slice(ctx.cwd.length + 1) : query;
	const takesImages = ctx.model?.input.includes("image") ?? false;
	const answer = answerRecall(known, { query: inWorkspace, page, takesImages }, await loadTokenCounter());
	runtime.lastRequest.recalled = new Set([...runtime.lastRequest.recalled, ...answer.stillSent]);
	if (answer.pages > 0 || earlier.problem === undefined) return answer;
	return { ...answer, text: `${answer.text} An earlier session could not be searched: ${earlier.problem}` };
}
