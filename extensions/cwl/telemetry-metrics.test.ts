import { expect, test } from "vitest";
import { reply } from "../../packages/pi/test-support/host-messages.ts";
import { metrics, type Sources } from "./telemetry-metrics.ts";

function pointsOf<K extends keyof Sources>(source: K, metric: string, event: Sources[K]) {
	return metrics[source][metric]?.[2](event);
}

test("a request counts its input, cached or not, and its output", () => {
	const answer = { ...reply([]), provider: "openai-codex" };
	const common = { "gen_ai.provider.name": "openai", "gen_ai.request.model": "test" };
	expect(pointsOf("answer", "gen_ai.client.token.usage", { answer, ms: 2_500 })).toEqual([
		[21, expect.objectContaining({ ...common, "gen_ai.token.type": "input" })],
		[5, expect.objectContaining({ ...common, "gen_ai.token.type": "output" })],
	]);
	const duration = pointsOf("answer", "gen_ai.client.operation.duration", { answer, ms: 2_500 });
	expect(duration).toEqual([[2.5, expect.not.objectContaining({ "error.type": expect.anything() })]]);
});

test.each([
	["error", "529 overloaded: the prompt was ...", "529"],
	["error", "Error 429 slow down", "429"],
	["error", "fetch failed at 10.0.0.500", "_OTHER"],
	["aborted", "500", "aborted"],
] as const)(
	"an answer with stop reason %s and message %j has error.type %s",
	(stopReason, errorMessage, type) => {
		const answer = { ...reply([]), stopReason, errorMessage };
		const points = pointsOf("answer", "gen_ai.client.operation.duration", { answer, ms: 1 });
		expect(points).toEqual([[0.001, expect.objectContaining({ "error.type": type })]]);
	},
);

test("a pass that made the context larger evicted nothing, and the name of an episode in an alert's id is not sent", () => {
	const pass = { policy: "cwl", budget: 9, episodes: [], blockers: [], decision: null };
	const evicted = { ...pass, before: 20, after: 21 };
	expect(pointsOf("cwl:pass", "cwl.evicted.tokens", evicted)).toEqual([[0, { "cwl.policy": "cwl" }]]);
	const alert = { id: "pinned secret-name", grade: "warning", text: "", remedy: "" } as const;
	expect(pointsOf("cwl:alert", "cwl.alerts", alert)).toEqual([
		[1, { "cwl.alert.grade": "warning", "cwl.alert.kind": "pinned" }],
	]);
});
