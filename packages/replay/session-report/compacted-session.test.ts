import { describe, expect, test } from "vitest";
import { sum } from "#basics";
import { leftOf } from "#core/ledger";
import { createManagedSession, PASS_ENTRY, readLogEntries } from "#pi/session";
import { formatSessionPage } from "../pages/session-page.ts";
import { splitAtCompactions } from "../recording/sent-requests.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { manageSession, reportSettings as settings } from "../test-support/managed-run.ts";
import { countQuarters, inOrder, marker, noCost } from "../test-support/messages.ts";
import { reportSession } from "./session-report.ts";

describe("a session that was compacted, by its host or by a command of the user", () => {
	const { messages } = writeLongSession(40);
	const position = messages.findLastIndex(({ role }) => role === "user");
	const compactions = [{ position, firstKept: position - 2, summary: "what was done" }];
	const compacted = { id: "c", cwd: "/w", branch: [], messages, compactions };

	test("shows what was sent, and what cwl would have sent", () => {
		const { requests, compactions: rows, passes, costs } = reportSession(compacted, settings);
		const [row] = rows;
		// Requests have numbers from 1, as on the page.
		const first = (row?.request ?? 0) - 1;
		expect(passes).toEqual([]);
		expect(requests).toHaveLength(4 * 40);
		expect(requests[first - 1]?.ledger.total).toBe(row?.before);
		expect(requests[first]?.ledger.total).toBe(row?.after);
		expect(row?.after).toBeLessThan((row?.before ?? 0) / 10);
		const sent = costs.arms.find(({ kind }) => kind === "session");
		expect(sent?.sizes[first - 1]).toBe(row?.before);
		const none = costs.arms.find(({ kind }) => kind === "none");
		// So late in the session the summary costs more than it saves.
		const { cost = 0, count } = sent?.summaries ?? {};
		expect(count).toBe(2);
		expect(cost).toBeGreaterThan(0);
		expect((sent?.total ?? 0) - cost).toBeLessThan(none?.total ?? 0);
	});

	test("names the episodes of its passes, whose ids a compaction changes", () => {
		const [cut] = createManagedSession(countQuarters).inspect(messages).graph.episodes;
		const items = cut?.items.slice(0, 1).map(({ id }) => id);
		const strips = [{ episode: " custom-vpe1aq", level: 1, items, tokens: 5 }];
		const pass = {
			version: 1,
			policy: "cwl",
			budget: 9,
			before: 9,
			after: 4,
			strips,
			blockers: [],
		};
		const branch = [
			...messages.map((message, id) => ({ type: "message", id: `${id}`, ...{ message } })),
			{ type: "custom", id: "pass", customType: PASS_ENTRY, data: pass },
		];
		const made = reportSession({ ...compacted, branch }, settings);
		expect(made.passes.map(({ strips }) => strips)).toMatchObject([[{ episode: cut?.name }]]);
		expect(JSON.stringify(made)).not.toMatch(/" (custom|assistant)-/);
	});

	test("is told as such, and never as one that stayed under its budget", () => {
		const made = reportSession(compacted, settings);
		expect(made.verdict).toMatch(/^cwl made no pass in this session: it was compacted once/);
		const page = formatSessionPage(made, "now");
		expect(page).toContain("it was compacted once");
		expect(page).not.toContain("another program");
		expect(page).toContain("No pass was made.");
	});

	test("has health figures of what is sent now, and says which episodes the summary replaced", () => {
		const { health, episodes, requests } = reportSession(compacted, settings);
		expect(health.utilisation).toBeLessThan(2 * ((requests.at(-1)?.ledger.total ?? 0) / settings.budget));
		expect(episodes.some(({ isCompacted }) => isCompacted)).toBe(true);
		expect(episodes.at(-1)?.isCompacted).toBe(false);
	});
});

test("a row counts what the next request sends, also of an episode that a compaction cut and of a note that was there before", () => {
	const note = { ...marker("a note"), display: true };
	const { messages: written } = writeLongSession(40);
	const kept = written.length - 30;
	const noted = inOrder(...written.toSpliced(kept + 5, 0, note).toSpliced(9, 0, note));
	const managed = manageSession(noted, settings.budget);
	const compactions = [{ position: noted.length, firstKept: kept, summary: "what was done" }];
	const old = { ...managed, compactions };
	const { messages } = splitAtCompactions(old).at(-1) ?? old;
	const { passes } = readLogEntries(old.branch);
	const { graph, view } = createManagedSession(countQuarters, { passes }).inspect(messages);
	const { episodes, scale, ...report } = reportSession(old, settings);
	const sent = sum(graph.episodes.map((episode) => leftOf(episode, view)));
	const shown = sum(episodes.map(({ sentTokens }) => sentTokens)) / (scale?.factor ?? 1);
	expect(sent).toBeGreaterThan(100);
	expect(Math.abs(shown - sent)).toBeLessThan(0.03 * sent);
	const cut = episodes.find(({ isCompacted, sentTokens }) => isCompacted && sentTokens > 0);
	expect(cut?.sentTokens).toBeLessThan(cut?.tokens ?? 0);
	expect(formatSessionPage({ episodes, scale, ...report }, "now")).toContain(
		"in part replaced by the summary of a compaction",
	);
});

test("a session whose requests shrank although its file tells of no compaction was compacted", () => {
	const { messages } = writeLongSession(40);
	const turns = messages.flatMap((message, index) => (message.role === "assistant" ? [index] : []));
	// The provider saw half of the history leave before one request, and the rest grow on from there.
	const sizeAt = (index: number) => countQuarters(JSON.stringify(messages.slice(0, index)));
	const [cut = 0] = turns.slice(-20);
	const usage = { output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: noCost };
	const seen = messages.map((message, index) =>
		message.role === "assistant"
			? {
					...message,
					usage: { ...usage, input: 100 + sizeAt(index) - (index >= cut ? 0.8 * sizeAt(cut) : 0) },
				}
			: message,
	);
	const { compactions, requests, verdict, costs } = reportSession(
		{ id: "c", cwd: "/w", branch: [], messages: seen },
		settings,
	);
	expect(compactions).toMatchObject([{ request: turns.length - 19 }]);
	expect(verdict).toContain("it was compacted once");
	expect(verdict).not.toContain("without compaction");
	// What is taken to have stayed explains what the provider counted, so that no component has to be stretched.
	const systems = requests.map(({ ledger }) => ledger.system);
	expect(Math.min(...systems.slice(-20))).toBeGreaterThan(0.8 * Math.max(...systems));
	expect(costs.arms.find(({ kind }) => kind === "session")?.largest).toBeLessThan(
		costs.arms.find(({ kind }) => kind === "none")?.largest ?? 0,
	);
});
