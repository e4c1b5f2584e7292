import fc from "fast-check";
import { expect, test } from "vitest";
import { foldTranscript } from "./fold.ts";
import { computeLedger, totalTokens } from "./ledger.ts";
import { createViewFold } from "./log.ts";
import { project } from "./projection.ts";
import { recountEpisodes } from "./recount.ts";
import { sentItems } from "./test-support/inspection.ts";
import { writeSession } from "./test-support/session-writer.ts";
import { anySession } from "./test-support/sessions.ts";
import { requestsOf } from "./test-support/simulation.ts";
import { defaultToolTable } from "./tool-table.ts";
import { sumTokens, type TranscriptMessage } from "./transcript.ts";

const fixed = { system: 0, tools: 0 };

/** What is left of a list when the host has compacted its beginning away. */
function compacted(messages: readonly TranscriptMessage[], kept: number): readonly TranscriptMessage[] {
	return messages
		.slice(messages.length - kept)
		.map(({ author, items }, message) => ({ author, items: items.map((item) => ({ ...item, message })) }));
}

test("accounts counted anew add up to what is sent, wherever the host has cut its list", () => {
	fc.assert(
		fc.property(anySession, fc.nat(40), (session, cut) => {
			const last = [...requestsOf(writeSession(session), { budget: 0, fixed })].at(-1);
			if (!last) return;
			const messages = compacted(last.messages, Math.max(0, last.messages.length - cut));
			const graph = foldTranscript(messages, defaultToolTable);
			const view = createViewFold();
			for (const pass of last.log) view.append(pass);
			view.restate(recountEpisodes(graph, view.read()));
			const sent = sumTokens(sentItems(messages, project(graph, view.read())));
			const { total, markers } = computeLedger(graph, view.read(), fixed);
			expect(totalTokens(graph, view.read(), fixed)).toBe(total);
			expect(total - markers).toBeGreaterThanOrEqual(sent);
			const hidden = total - markers - sent;
			// Reasoning without a follower is not sent, nor is what had gone and now stands before the model's first word.
			const reasoning = messages.flatMap(({ items }) => items.filter((item) => item.type === "reasoning"));
			expect(hidden).toBeLessThanOrEqual(sumTokens(reasoning) + sumTokens(graph.prologue));
		}),
	);
});

test("accounts counted anew for the graph they were made for change nothing", () => {
	fc.assert(
		fc.property(anySession, (session) => {
			for (const { graph, view } of requestsOf(writeSession(session), { budget: 0, fixed })) {
				const again = recountEpisodes(graph, view);
				for (const [id, account] of again) expect(account).toEqual(view.episodes.get(id));
			}
		}),
	);
});
