import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { ResultsFile } from "../results-file.ts";
import { readKept } from "./command.ts";
import type { PeerFigures, PeerRow } from "./figures.ts";
import { formatPeersDoc } from "./page.ts";

function row(policy: string, cost: number, editsKept: number, rest: Partial<PeerRow> = {}): PeerRow {
	return {
		...{ policy, costs: [cost, cost], editsKept },
		...{ staleRequests: 0, faultRate: 0.1, savedOnce: 1e6, overBudget: 0, ...rest },
	};
}

function page(...rows: readonly PeerRow[]): string {
	const figures: PeerFigures = {
		...{ replayed: 3, planned: 3, pressed: 2, requests: 100, pressedRequests: 60, budget: 80_000 },
		...{
			models: [
				{ name: "a/x", read: 0.1 },
				{ name: "a/y", read: 0.05 },
			],
			rows: [row("none", 1, 1, { faultRate: null }), row("cwl", 0.5, 0.9), ...rows],
		},
	};
	const machine = { cpu: "x", cores: 1, memory: 1, system: "x", node: "20" };
	const made: ResultsFile<PeerFigures> = {
		...{ version: 1, date: "2026-01-01", commit: "abc", machine, command: "run it", figures },
	};
	return formatPeersDoc(made);
}

test("the page is what the kept figures make: no figure is typed", async () => {
	const kept = fileURLToPath(new URL("../../docs/peers.md", import.meta.url));
	expect(await readFile(kept, "utf8")).toBe(formatPeersDoc(await readKept()));
});

test("where a peer is better than cwl the page says so first, and where it is worse next", () => {
	expect(page(row("stride", 0.4, 0.8, { staleRequests: 7, overBudget: 2 }))).toContain(
		"- `stride` is **better than `cwl`** where it is cheaper at every price; it keeps fewer edits, sends stale thinking, is over the budget 2 times.",
	);
	expect(page(row("trim", 0.9, 0.95))).toContain(
		"- `trim` is **better than `cwl`** where it keeps more edits; it costs more at every price.",
	);
	expect(page(row("coref", 0.6, 0.8))).toContain("- `coref` is in nothing better than `cwl`; it costs more");
});

test("the page begins with what is cheaper, what keeps more, and what does both", () => {
	expect(page(row("stride", 0.4, 0.8), row("trim", 0.9, 0.95))).toContain(
		"Cheaper than `cwl` at every price: `stride`. Keeping more edits: `trim`. Both at once: none.\n",
	);
	expect(page(row("coref", 0.4, 0.95))).toContain("Both at once: `coref`.");
});

test("a fault rate counts only where both have one", () => {
	expect(page(row("trim", 0.6, 0.8, { faultRate: null }))).toContain("in nothing better");
	expect(page(row("coref", 0.6, 0.8, { faultRate: 0.05 }))).toContain("has a lower fault rate");
});

test("each policy has a row with the share of requests that hold stale thinking", () => {
	expect(page(row("dcp", 0.6, 0.8, { staleRequests: 7 }))).toMatch(/`dcp` .*\| +7 \(7.0 %\) \|/);
});
