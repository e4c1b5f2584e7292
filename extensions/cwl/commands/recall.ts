/** `/cwl recall REF`: a person puts back what has left, as a note at the tail of the session. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { findEpisode } from "#core/graph";
import { showName } from "#core/transcript";
import { CwlError } from "#pi";
import { loadTokenCounter, RECALL_MESSAGE } from "#pi/codec";
import { formatTokens } from "#pi/screen";
import { emit } from "../events.ts";
import { inOneLine } from "../notice.ts";
import { recallFrom } from "../recall-tool.ts";
import type { Runtime } from "../state/runtime.ts";
import { type Command, typeableNames } from "./command.ts";

export function createRecall(pi: ExtensionAPI, runtime: Runtime): Command {
	return {
		usage: "recall REF",
		purpose: "brings evicted text back",
		values: async () => typeableNames(await runtime.session.graph()),
		async run(value, ctx) {
			const [, words = "", number = "1"] = /^(.*?)(?:\s+page\s+(\d+))?$/s.exec(value) ?? [];
			if (words === "") {
				throw new CwlError("no-query", "recall what? Use /cwl recall and an episode, a path or words.");
			}
			const episode = findEpisode((await runtime.session.graph()).episodes, words);
			const query = episode.type === "found" ? episode.episode.name : words;
			const page = Number(number);
			const { text, images, pages, isStillSent } = await recallFrom(runtime, ctx, query, page);
			emit(pi, "cwl:recall", { by: "user", query, page, pages });
			if (isStillSent) return `${showName(query)} is still in the context: the model sees it already.`;
			if (pages === 0) throw new CwlError("nothing-to-recall", text);
			pi.sendMessage({
				customType: RECALL_MESSAGE,
				content: [{ type: "text", text: `Brought back by the user's command.\n${text}` }, ...images],
				display: true,
			});
			const tokens = formatTokens((await loadTokenCounter())(text));
			const place = pages > 1 ? `page ${page} of ${pages}, ` : "";
			const back = `recalled ${showName(query)} (${place}${tokens} tokens)`;
			return inOneLine(`${back}: the model sees it with the next request.`, `${back}.`);
		},
	};
}
