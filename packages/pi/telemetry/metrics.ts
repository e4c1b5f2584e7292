/** The metrics that are sent, as data. */

interface Metric {
	readonly kind: "counter" | "gauge" | "histogram";
	/** In UCUM; braces hold what is counted. */
	readonly unit: string;
	readonly description: string;
	/** Of a histogram, as the conventions for generative AI ask for them. */
	readonly boundaries?: readonly number[];
}

/** In tokens: powers of four. */
const TOKEN_BOUNDARIES = Array.from({ length: 14 }, (_, at) => 4 ** at);
/** In seconds: doubling from a hundredth. */
const SECOND_BOUNDARIES = Array.from({ length: 14 }, (_, at) => 2 ** at / 100);

export const metrics = {
	"gen_ai.client.token.usage": {
		...{ kind: "histogram", unit: "{token}", boundaries: TOKEN_BOUNDARIES },
		description: "Number of input and output tokens used.",
	},
	"gen_ai.client.operation.duration": {
		...{ kind: "histogram", unit: "s", boundaries: SECOND_BOUNDARIES },
		description: "GenAI operation duration.",
	},
	"gen_ai.execute_tool.duration": {
		...{ kind: "histogram", unit: "s", boundaries: SECOND_BOUNDARIES },
		description: "The duration of a single tool execution.",
	},
	"cwl.context.tokens": gauge("{token}", "Tokens of the last request, prompt and tools included."),
	"cwl.context.budget": gauge("{token}", "The budget that a request is kept to."),
	"cwl.context.utilization": gauge("1", "Share of the budget that the last request used."),
	"cwl.context.cached_share": gauge("1", "Share of the last request that the provider read from its cache."),
	"cwl.regret.tokens": gauge(
		"{token}",
		"What the session read again after a pass had taken it, since it began.",
	),
	"cwl.window.utilization": gauge("1", "Share of the model's window that the last request used."),
	"cwl.eviction.rate": gauge("{item}", "Items evicted so far for each turn."),
	"cwl.compression": gauge("1", "Tokens of stripped episodes for each token that is left of them."),
	"cwl.burn.rate": gauge("{token}", "Tokens that a turn added, on the mean of the last five."),
	"cwl.fidelity.in_sight": gauge("1", "Of the facts in evicted text, the share that is still sent."),
	"cwl.fidelity.retained": gauge("1", "The share that is sent or can be recalled by name."),
	"cwl.tool_results.share": gauge("1", "Share of the context that tool results take."),
	"cwl.zone.changes": counter("{change}", "Requests in another zone than the one before."),
	"cwl.spikes": counter("{spike}", "Times that the context began to grow three times as fast."),
	"cwl.input.tokens": counter("{token}", "Input of settled requests, by what became of it."),
	"cwl.prefix.breaks": counter("{break}", "Requests of which a pass cut the cached prefix."),
	"cwl.passes": counter("{pass}", "Eviction passes."),
	"cwl.evicted.tokens": counter("{token}", "Tokens by which passes made the context smaller."),
	"cwl.alerts": counter("{alert}", "Alerts that were raised."),
	"cwl.recalls": counter("{recall}", "What was asked for by recall."),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;

function gauge(unit: string, description: string) {
	return { kind: "gauge", unit, description } as const;
}

function counter(unit: string, description: string) {
	return { kind: "counter", unit, description } as const;
}
