import { expect, test } from "vitest";
import type { RequestObservation } from "./observation.ts";
import { runSpan, spanOf } from "./spans.ts";

const request: RequestObservation = {
	...{
		type: "request",
		provider: "xai",
		model: "grok",
		start: 1_000,
		end: 3_500,
		finishReason: "tool_calls",
	},
	...{ input: 900, cacheRead: 600, cacheWrite: 100, output: 40 },
};

test("a request is a span of a client, cached input counted as input", () => {
	expect(spanOf({ ...request, responseModel: "grok-2" }, "s1")).toEqual({
		...{ name: "chat grok", kind: "client", start: 1_000, end: 3_500 },
		attributes: {
			"gen_ai.operation.name": "chat",
			"gen_ai.conversation.id": "s1",
			"gen_ai.provider.name": "x_ai",
			"gen_ai.request.model": "grok",
			"gen_ai.response.model": "grok-2",
			"gen_ai.response.finish_reasons": ["tool_calls"],
			"gen_ai.usage.input_tokens": 900,
			"gen_ai.usage.output_tokens": 40,
			"gen_ai.usage.cache_read.input_tokens": 600,
			"gen_ai.usage.cache_creation.input_tokens": 100,
		},
	});
});

test("usage that was not reported is not told as none", () => {
	const span = spanOf({ ...request, input: 0, output: 0, failure: "500" }, "s1");
	expect(Object.keys(span?.attributes ?? {}).filter((key) => key.includes("usage"))).toEqual([]);
	expect(span?.failure).toBe("500");
});

test("a tool is a span within the program, failed when the tool did", () => {
	const tool = { type: "tool", name: "grep", start: 5, end: 9 } as const;
	expect(spanOf({ ...tool, isError: false }, "s1")).toMatchObject({
		name: "execute_tool grep",
		kind: "internal",
	});
	expect(spanOf({ ...tool, isError: false }, "s1")).not.toHaveProperty("failure");
	expect(spanOf({ ...tool, isError: true }, "s1")).toMatchObject({ failure: "_OTHER" });
});

test("a pass is a moment with its figures", () => {
	const sizes = { budget: 100, before: 90, after: 20, episodes: 3, blockers: 0 };
	expect(spanOf({ type: "pass", policy: "paper", time: 7, ...sizes }, "s1")).toMatchObject({
		...{ name: "cwl.pass", start: 7, end: 7 },
		attributes: {
			"cwl.policy": "paper",
			"cwl.pass.before": 90,
			"cwl.pass.after": 20,
			"cwl.pass.episodes": 3,
		},
	});
});

test("figures without a time are no span, and a run has the name of the agent", () => {
	expect(spanOf({ type: "health", regretted: 7 }, "s1")).toBeUndefined();
	expect(runSpan("s1", 3)).toMatchObject({ name: "invoke_agent cwl", start: 3 });
});
