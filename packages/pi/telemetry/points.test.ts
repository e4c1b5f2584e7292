import fc from "fast-check";
import { expect, test } from "vitest";
import { metrics } from "./metrics.ts";
import type { Observation, RequestObservation } from "./observation.ts";
import { type Point, pointsOf } from "./points.ts";

const request: RequestObservation = {
	...{ type: "request", provider: "google", model: "gemini", start: 1_000, end: 3_500, finishReason: "stop" },
	...{ input: 900, cacheRead: 600, cacheWrite: 100, output: 40 },
};

const figure = (points: readonly Point[], metric: string, attributes: object = {}) =>
	points.find((point) => {
		const given = Object.entries(attributes);
		return point.metric === metric && given.every(([key, value]) => point.attributes[key] === value);
	})?.value;

test("a request counts its input and output, and its duration in seconds", () => {
	const points = pointsOf(request);
	const chat = {
		"gen_ai.operation.name": "chat",
		"gen_ai.provider.name": "gcp.gemini",
		"gen_ai.request.model": "gemini",
	};
	const usage = "gen_ai.client.token.usage";
	expect(figure(points, usage, { ...chat, "gen_ai.token.type": "input" })).toBe(request.input);
	expect(figure(points, usage, { ...chat, "gen_ai.token.type": "output" })).toBe(request.output);
	expect(figure(points, "gen_ai.client.operation.duration", chat)).toBe(2.5);
	expect(points.some(({ attributes }) => "error.type" in attributes)).toBe(false);
});

test("a request that failed without usage has a duration with its error, and no tokens", () => {
	const points = pointsOf({ ...request, input: 0, output: 0, failure: "529" });
	expect(points.map(({ metric }) => metric)).toEqual(["gen_ai.client.operation.duration"]);
	expect(points[0]?.attributes["error.type"]).toBe("529");
});

test("what became of the input adds up to the input", () => {
	const tokens = fc.nat(1_000_000);
	const columns = fc.record({ cached: tokens, added: tokens, rewritten: tokens, expired: tokens });
	fc.assert(
		fc.property(columns, fc.boolean(), (account, isPrefixBreak) => {
			const points = pointsOf({ type: "account", ...account, isPrefixBreak });
			const input = points.filter(({ metric }) => metric === "cwl.input.tokens");
			const sum = Object.values(account).reduce((total, column) => total + column, 0);
			expect(input.reduce((total, { value }) => total + value, 0)).toBe(sum);
			expect(figure(points, "cwl.prefix.breaks")).toBe(Number(isPrefixBreak));
		}),
	);
});

test("a pass that made the context larger evicted nothing", () => {
	const pass = { type: "pass", policy: "cwl", time: 0, budget: 100, episodes: 1, blockers: 0 } as const;
	expect(figure(pointsOf({ ...pass, before: 90, after: 20 }), "cwl.evicted.tokens")).toBe(70);
	expect(figure(pointsOf({ ...pass, before: 20, after: 21 }), "cwl.evicted.tokens")).toBe(0);
});

test("a share of nothing and a figure that is none are not sent", () => {
	expect(pointsOf({ type: "context", used: 0, budget: 0 }).map(({ metric }) => metric)).toEqual([
		"cwl.context.tokens",
		"cwl.context.budget",
	]);
	expect(pointsOf({ type: "health", regretted: Number.NaN })).toEqual([]);
});

test("every metric comes from some observation", () => {
	const all: readonly Observation[] = [
		request,
		{ type: "tool", name: "read", start: 0, end: 5, isError: true },
		{ type: "context", used: 50, budget: 100, cachedShare: 0.5 },
		{ type: "account", cached: 1, added: 1, rewritten: 1, expired: 1, isPrefixBreak: true },
		{ type: "pass", policy: "cwl", time: 0, budget: 100, before: 90, after: 20, episodes: 1, blockers: 0 },
		{ type: "health", regretted: 7 },
		{
			...{ type: "turn", utilization: 0.5, evictionRate: 1, compressionRatio: 5, burnRate: 100 },
			...{ inSight: 0.5, retained: 0.9, bloat: 0.4 },
		},
		{ type: "zone", from: "green", to: "yellow" },
		{ type: "spike" },
		{ type: "alert", grade: "notice", kind: "bulk" },
		{ type: "recall", by: "model", isFound: true },
	];
	const sent = new Set(all.flatMap(pointsOf).map(({ metric }) => metric));
	expect([...sent].toSorted()).toEqual(Object.keys(metrics).toSorted());
});

test("the boundaries of histograms are those of the conventions", () => {
	const tokens = metrics["gen_ai.client.token.usage"].boundaries;
	expect([tokens.length, tokens[0], tokens.at(-1)]).toEqual([14, 1, 67_108_864]);
	const seconds = metrics["gen_ai.client.operation.duration"].boundaries;
	expect([seconds.length, seconds[0], seconds.at(-1)]).toEqual([14, 0.01, 81.92]);
});
