/** docs/grafana-dashboard.json asks only for what is sent, by the names that Prometheus gives it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metrics, type Observation, pointsOf } from "#pi";
import { PROJECT } from "./test-support/trial.ts";

interface Target {
	readonly expr: string;
	readonly legendFormat: string;
}

interface Panel {
	readonly id: number;
	readonly title: string;
	readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
	readonly targets: readonly Target[];
}

const text = await readFile(join(PROJECT, "docs", "grafana-dashboard.json"), "utf8");
const dashboard: {
	readonly panels: readonly Panel[];
	readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
} = JSON.parse(text);
const targets = dashboard.panels.flatMap((panel) => panel.targets);

const plain = (name: string) => name.replace(/[^a-zA-Z0-9_]/g, "_");

/** opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics: the unit, then `total`; braces are no unit. */
function seriesOf(name: string, { kind, unit }: { readonly kind: string; readonly unit: string }) {
	const units: Readonly<Record<string, string>> = { s: "_seconds", "1": "_ratio" };
	const base = `${plain(name)}${units[unit] ?? ""}`;
	if (kind === "histogram") return ["_bucket", "_sum", "_count"].map((part) => `${base}${part}`);
	return [kind === "counter" ? `${base}_total` : base];
}

const series = new Map(
	Object.entries(metrics).flatMap(([name, metric]) => seriesOf(name, metric).map((one) => [one, name])),
);

/** One observation of each kind with everything that it may hold. */
const observations: readonly Observation[] = [
	{
		...{
			type: "request",
			provider: "p",
			model: "m",
			responseModel: "m",
			start: 0,
			end: 1,
			finishReason: "error",
		},
		...{ input: 1, cacheRead: 1, cacheWrite: 1, output: 1, failure: "500" },
	},
	{ type: "tool", name: "read", start: 0, end: 5, isError: true },
	{ type: "account", cached: 1, added: 1, rewritten: 1, expired: 1, isPrefixBreak: true },
	{ type: "pass", policy: "cwl", time: 0, budget: 9, before: 9, after: 2, episodes: 1, blockers: 0 },
	{ type: "alert", grade: "notice", kind: "bulk" },
	{ type: "recall", by: "model", isFound: true },
];
/** Attributes by metric, as labels. */
const labels = new Map<string, Set<string>>();
for (const { metric, attributes } of observations.flatMap(pointsOf)) {
	const known = labels.get(metric) ?? new Set(["job", "instance", "le"]);
	for (const key of Object.keys(attributes)) known.add(plain(key));
	labels.set(metric, known);
}

/** Metrics of a query, each with the labels that are asked of any of them. */
function namesIn(expr: string) {
	const selectors = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = ""]) =>
		[...inner.matchAll(/(\w+)\s*=~?/g)].map(([, label = ""]) => label),
	);
	const groups = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inner = ""]) => inner.split(/,\s*/));
	const rest = expr.replace(/\{[^}]*\}|\bby \([^)]*\)/g, "");
	return { used: rest.match(/\b(?:cwl|gen_ai)_\w+/g) ?? [], labels: [...selectors, ...groups] };
}

test("every query asks for a metric that is sent, by labels that it has", () => {
	expect(targets.length).toBeGreaterThan(dashboard.panels.length);
	for (const { expr } of targets) {
		const { used, labels: asked } = namesIn(expr);
		expect(used.length, expr).toBeGreaterThan(0);
		for (const name of used) {
			expect([...series.keys()], expr).toContain(name);
			const known = labels.get(series.get(name) ?? "") ?? new Set(["job", "instance"]);
			expect([...known], expr).toEqual(expect.arrayContaining(asked));
		}
	}
});

test("legends name only labels that the query keeps", () => {
	for (const { expr, legendFormat } of targets) {
		const kept = expr.includes(" by (") ? namesIn(expr).labels : ["instance", "job"];
		for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(kept, expr).toContain(label);
	}
});

test("every metric has a place in a panel", () => {
	const shown = new Set(targets.flatMap(({ expr }) => namesIn(expr).used).map((name) => series.get(name)));
	expect([...shown].toSorted()).toEqual(Object.keys(metrics).toSorted());
});

test("it can be imported: one data source to choose, panels of their own number that do not overlap", () => {
	expect(dashboard.templating.list[0]).toMatchObject({ name: "datasource", type: "datasource" });
	expect(text.match(/"uid": "(?!\$\{datasource\}|cwl-context")/g)).toBeNull();
	const { panels } = dashboard;
	expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
	const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
		Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
	);
	expect(new Set(cells).size).toBe(cells.length);
	expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
});
