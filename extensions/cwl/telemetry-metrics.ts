/**
 * The metrics that telemetry sends, by the event that they come from: figures, and names of models, providers, tools and
 * policies, never a text, a path or the name of an episode.
 */
import type { AssistantMessage } from "@mariozechner/pi-ai";
import { failureOf } from "#pi/codec";
import type { Events } from "./events.ts";

/** An answer or a tool call that ended, and how long it took in ms. */
export type Sources = Events & {
	readonly answer: { readonly answer: AssistantMessage; readonly ms: number };
	readonly tool: { readonly name: string; readonly isError: boolean; readonly ms: number };
};
type Attributes = Readonly<Record<string, string | boolean>>;
type Point = readonly [value: number, attributes?: Attributes];
/** Units are UCUM; braces hold what is counted. docs/health.md describes each metric. */
type Metric<Event> = readonly [
	kind: "counter" | "gauge" | "histogram",
	unit: string,
	points: (event: Event) => readonly Point[],
];

/** Values that are no number are not sent. A zero makes a series, so that its first spike or break is seen as a step. */
export const metrics: { readonly [K in keyof Sources]: Readonly<Record<string, Metric<Sources[K]>>> } = {
	answer: {
		"gen_ai.client.token.usage": ["histogram", "{token}", tokensOf],
		"gen_ai.client.operation.duration": ["histogram", "s", requestTime],
	},
	tool: { "gen_ai.execute_tool.duration": ["histogram", "s", toolTime] },
	"cwl:request": {
		"cwl.context.tokens": ["gauge", "{token}", ({ used }) => [[used]]],
		"cwl.context.budget": ["gauge", "{token}", ({ budget }) => [[budget]]],
		"cwl.context.utilization": ["gauge", "1", ({ used, budget }) => [[used / budget]]],
		"cwl.context.cached_share": ["gauge", "1", ({ cached, input }) => [[cached / input]]],
	},
	"cwl:health": { "cwl.regret.tokens": ["gauge", "{token}", ({ regretted }) => [[regretted]]] },
	"cwl:turn": {
		"cwl.window.utilization": ["gauge", "1", ({ utilization }) => [[utilization]]],
		"cwl.eviction.rate": ["gauge", "{item}", ({ evictionRate }) => [[evictionRate]]],
		"cwl.compression": ["gauge", "1", ({ compressionRatio }) => [[compressionRatio]]],
		"cwl.burn.rate": ["gauge", "{token}", ({ burnRate }) => [[burnRate]]],
		"cwl.fidelity.in_sight": ["gauge", "1", ({ inSight }) => [[inSight]]],
		"cwl.fidelity.retained": ["gauge", "1", ({ retained }) => [[retained]]],
		"cwl.tool_results.share": ["gauge", "1", ({ bloat }) => [[bloat]]],
		"cwl.spikes": ["counter", "{spike}", () => [[0]]],
	},
	"cwl:spike": { "cwl.spikes": ["counter", "{spike}", () => [[1]]] },
	"cwl:zone": { "cwl.zone.changes": ["counter", "{change}", changeOf] },
	"cwl:account": {
		"cwl.input.tokens": ["counter", "{token}", columnsOf],
		"cwl.prefix.breaks": ["counter", "{break}", ({ isPrefixBreak }) => [[Number(isPrefixBreak)]]],
	},
	"cwl:pass": {
		"cwl.passes": ["counter", "{pass}", ({ policy }) => [[1, { "cwl.policy": policy }]]],
		"cwl.evicted.tokens": ["counter", "{token}", freedBy],
	},
	"cwl:alert": { "cwl.alerts": ["counter", "{alert}", kindOf] },
	"cwl:recall": { "cwl.recalls": ["counter", "{recall}", outcomeOf] },
};

/** The metrics that come from the extension's own events. */
export const eventNames = (Object.keys(metrics) as (keyof Sources)[]).filter(
	(name): name is keyof Events => name !== "answer" && name !== "tool",
);

/** The conventions count cached input as input. */
function tokensOf({ answer }: Sources["answer"]): readonly Point[] {
	const { input, output, cacheRead, cacheWrite } = answer.usage;
	const used = Object.entries({ input: input + cacheRead + cacheWrite, output });
	return used
		.filter(([, tokens]) => tokens > 0)
		.map(([type, tokens]) => [tokens, { ...requestAttributes(answer), "gen_ai.token.type": type }]);
}

function requestTime({ answer, ms }: Sources["answer"]): readonly Point[] {
	const failure = failureOf(answer);
	return [[ms / 1_000, { ...requestAttributes(answer), ...(failure && { "error.type": failure }) }]];
}

function toolTime({ name, isError, ms }: Sources["tool"]): readonly Point[] {
	return [[ms / 1_000, { "gen_ai.tool.name": name, ...(isError && { "error.type": "_OTHER" }) }]];
}

function requestAttributes({ provider, model, responseModel }: AssistantMessage): Attributes {
	return {
		"gen_ai.operation.name": "chat",
		"gen_ai.provider.name": providers.get(provider) ?? provider,
		"gen_ai.request.model": model,
		...(responseModel !== undefined && { "gen_ai.response.model": responseModel }),
	};
}

function changeOf({ from, to }: Events["cwl:zone"]): readonly Point[] {
	return [[1, { "cwl.zone.from": from, "cwl.zone.to": to }]];
}

function columnsOf({ cached, added, rewritten, expired }: Events["cwl:account"]): readonly Point[] {
	const columns = Object.entries({ cached, added, rewritten, expired });
	return columns.map(([column, tokens]) => [tokens, { "cwl.input.column": column }]);
}

function freedBy({ policy, before, after }: Events["cwl:pass"]): readonly Point[] {
	return [[Math.max(0, before - after), { "cwl.policy": policy }]];
}

/** The first word of an id is the kind of the alert; what follows may name an episode. */
function kindOf({ id, grade }: Events["cwl:alert"]): readonly Point[] {
	return [[1, { "cwl.alert.grade": grade, "cwl.alert.kind": id.replace(/ .*$/s, "") }]];
}

function outcomeOf({ by, pages }: Events["cwl:recall"]): readonly Point[] {
	return [[1, { "cwl.recall.by": by, "cwl.recall.found": pages > 0 }]];
}

/** `gen_ai.provider.name` by pi's name (github.com/open-telemetry/semantic-conventions-genai); others go by their own. */
const providers: ReadonlyMap<string, string> = new Map([
	["amazon-bedrock", "aws.bedrock"],
	["azure-openai-responses", "azure.ai.openai"],
	["google", "gcp.gemini"],
	["google-vertex", "gcp.vertex_ai"],
	["mistral", "mistral_ai"],
	["moonshotai", "moonshot_ai"],
	["moonshotai-cn", "moonshot_ai"],
	["openai-codex", "openai"],
	["xai", "x_ai"],
]);
