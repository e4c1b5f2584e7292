import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Events } from "./events.ts";
import { metrics } from "./telemetry-metrics.ts";
import { PROJECT } from "./test-support/trial.ts";

const text = await readFile(join(PROJECT, "docs", "grafana-dashboard.json"), "utf8");
const dashboard: { readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[] } =
	JSON.parse(text);
const targets = dashboard.panels.flatMap((panel) => panel.targets);

const instruments = Object.values(metrics).flatMap((some) => Object.entries(some));

const plain = (name: string) => name.replace(/[^a-zA-Z0-9_]/g, "_");

/** opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics: the unit, then `total`; braces are no unit. */
function seriesOf(name: string, kind: string, unit: string) {
	const units: Readonly<Record<string, string>> = { "1": "_ratio" };
	const base = `${plain(name)}${units[unit] ?? ""}`;
	return kind === "counter" ? `${base}_total` : base;
}

const series = new Map(instruments.map(([name, [kind, unit]]) => [seriesOf(name, kind, unit), name]));

/** One event of each kind that has attributes, with everything that it may hold. */
const points = [
	...pointsOf("cwl:account", { cached: 1, added: 1, rewritten: 1, expired: 1, isPrefixBreak: true }),
	...pointsOf("cwl:pass", {
		policy: "cwl",
		budget: 9,
		before: 9,
		after: 2,
		episodes: [],
		blockers: [],
		decision: null,
	}),
	...pointsOf("cwl:alert", { id: "bulk read", grade: "notice", text: "", remedy: "" }),
	...pointsOf("cwl:recall", { by: "model", query: "", page: 1, pages: 1 }),
];

function valuesOf<K extends keyof Events>(name: K, metric: string, event: Events[K]) {
	return metrics[name][metric]?.[2](event);
}

function pointsOf<K extends keyof Events>(name: K, event: Events[K]) {
	return Object.entries(metrics[name]).flatMap(([metric, [, , values]]) =>
		values(event).map(([, attributes = {}]) => ({ metric, attributes })),
	);
}

/** The labels of a metric: what Prometheus adds, and its attributes. */
const labelsOf = (metric: string | undefined) => [
	...["job", "instance"],
	...points.flatMap((point) => (point.metric === metric ? Object.keys(point.attributes).map(plain) : [])),
];

/** Metrics of a query, each with the labels that are asked of any of them. */
function namesIn(expr: string) {
	const selectors = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = ""]) =>
		[...inner.matchAll(/(\w+)\s*=~?/g)].map(([, label = ""]) => label),
	);
	const groups = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inner = ""]) => inner.split(/,\s*/));
	const rest = expr.replace(/\{[^}]*\}|\bby \([^)]*\)/g, "");
	return { used: rest.match(/\bcwl_\w+/g) ?? [], labels: [...selectors, ...groups] };
}

test("every query of docs/grafana-dashboard.json asks for a metric that is sent, by labels that it has", () => {
	expect(targets.length).toBeGreaterThan(dashboard.panels.length);
	for (const { expr } of targets) {
		const { used, labels: asked } = namesIn(expr);
		expect(used.length, expr).toBeGreaterThan(0);
		for (const name of used) {
			expect([...series.keys()], expr).toContain(name);
			expect(labelsOf(series.get(name)), expr).toEqual(expect.arrayContaining(asked));
		}
	}
});

test("every metric has a place in a panel", () => {
	const shown = new Set(targets.flatMap(({ expr }) => namesIn(expr).used).map((name) => series.get(name)));
	expect(shown).toEqual(new Set(instruments.map(([name]) => name)));
});

const health = await readFile(join(PROJECT, "docs", "health.md"), "utf8");
const page = health.slice(health.indexOf("\n## Telemetry\n"));

test("the section Telemetry of docs/health.md names every metric with its kind and unit, and no other", () => {
	const rows = page.matchAll(/^\| `([a-z_.]+)` \| (gauge|counter) \| `([^`]+)` \|/gm);
	const sent = instruments.map(([name, [kind, unit]]) => `${name} ${kind} ${unit}`);
	expect(new Set([...rows].map((row) => row.slice(1).join(" ")))).toEqual(new Set(sent));
});

test("a pass that made the context larger evicted nothing, and the name of an episode in an alert's id is not sent", () => {
	const pass = { policy: "cwl", budget: 9, episodes: [], blockers: [], decision: null };
	const evicted = { ...pass, before: 20, after: 21 };
	expect(valuesOf("cwl:pass", "cwl.evicted.tokens", evicted)).toEqual([[0, { "cwl.policy": "cwl" }]]);
	const alert = { id: "pinned secret-name", grade: "warning", text: "", remedy: "" } as const;
	expect(valuesOf("cwl:alert", "cwl.alerts", alert)).toEqual([
		[1, { "cwl.alert.grade": "warning", "cwl.alert.kind": "pinned" }],
	]);
});
