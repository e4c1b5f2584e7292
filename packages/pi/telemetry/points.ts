/** The metric points that an observation adds. */
import { providerName } from "./conventions.ts";
import type { MetricName } from "./metrics.ts";
import type {
	AccountObservation,
	ContextObservation,
	Observation,
	PassObservation,
	RequestObservation,
	ToolObservation,
	TurnObservation,
} from "./observation.ts";

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface Point {
	readonly metric: MetricName;
	readonly value: number;
	readonly attributes: Attributes;
}

/** The points of an observation; those that are no number are left out. */
export function pointsOf(observation: Observation): readonly Point[] {
	return allPoints(observation).filter(({ value }) => Number.isFinite(value));
}

function allPoints(observation: Observation): readonly Point[] {
	switch (observation.type) {
		case "request":
			return requestPoints(observation);
		case "tool":
			return [toolPoint(observation)];
		case "context":
			return contextPoints(observation);
		case "account":
			return accountPoints(observation);
		case "pass":
			return passPoints(observation);
		case "health":
			return [point("cwl.regret.tokens", observation.regretted)];
		case "turn":
			return turnPoints(observation);
		case "zone":
			return [
				point("cwl.zone.changes", 1, { "cwl.zone.from": observation.from, "cwl.zone.to": observation.to }),
			];
		case "spike":
			return [point("cwl.spikes", 1)];
		case "alert":
			return [
				point("cwl.alerts", 1, { "cwl.alert.grade": observation.grade, "cwl.alert.kind": observation.kind }),
			];
		case "recall":
			return [
				point("cwl.recalls", 1, { "cwl.recall.by": observation.by, "cwl.recall.found": observation.isFound }),
			];
	}
}

function point(metric: MetricName, value: number, attributes: Attributes = {}): Point {
	return { metric, value, attributes };
}

/** Attributes that the conventions ask for on every metric of a request. */
function requestPoints(request: RequestObservation): readonly Point[] {
	const { provider, model, responseModel, start, end, input, output, failure } = request;
	const common = {
		"gen_ai.operation.name": "chat",
		"gen_ai.provider.name": providerName(provider),
		"gen_ai.request.model": model,
		...(responseModel !== undefined && { "gen_ai.response.model": responseModel }),
	};
	const usage = (type: "input" | "output", tokens: number) =>
		tokens > 0 ? [point("gen_ai.client.token.usage", tokens, { ...common, "gen_ai.token.type": type })] : [];
	const outcome = failure === undefined ? common : { ...common, "error.type": failure };
	return [
		...usage("input", input),
		...usage("output", output),
		point("gen_ai.client.operation.duration", seconds(start, end), outcome),
	];
}

function seconds(start: number, end: number): number {
	return Math.max(0, end - start) / 1_000;
}

function toolPoint({ name, start, end, isError }: ToolObservation): Point {
	return point("gen_ai.execute_tool.duration", seconds(start, end), {
		"gen_ai.tool.name": name,
		...(isError && { "error.type": "_OTHER" }),
	});
}

function contextPoints({ used, budget, cachedShare }: ContextObservation): readonly Point[] {
	return [
		point("cwl.context.tokens", used),
		point("cwl.context.budget", budget),
		point("cwl.context.utilization", used / budget),
		...(cachedShare === undefined ? [] : [point("cwl.context.cached_share", cachedShare)]),
	];
}

function turnPoints(turn: TurnObservation): readonly Point[] {
	return [
		point("cwl.window.utilization", turn.utilization),
		point("cwl.eviction.rate", turn.evictionRate),
		point("cwl.compression", turn.compressionRatio),
		point("cwl.burn.rate", turn.burnRate),
		point("cwl.fidelity.in_sight", turn.inSight),
		point("cwl.fidelity.retained", turn.retained),
		point("cwl.tool_results.share", turn.bloat),
		// A zero makes the series, so that the first one is seen as a step.
		point("cwl.spikes", 0),
	];
}

function accountPoints(account: AccountObservation): readonly Point[] {
	const { cached, added, rewritten, expired, isPrefixBreak } = account;
	const columns = Object.entries({ cached, added, rewritten, expired });
	return [
		...columns.map(([column, tokens]) => point("cwl.input.tokens", tokens, { "cwl.input.column": column })),
		// A zero makes the series, so that the first break is seen as a step.
		point("cwl.prefix.breaks", isPrefixBreak ? 1 : 0),
	];
}

function passPoints({ policy, before, after }: PassObservation): readonly Point[] {
	const attributes = { "cwl.policy": policy };
	return [
		point("cwl.passes", 1, attributes),
		point("cwl.evicted.tokens", Math.max(0, before - after), attributes),
	];
}
