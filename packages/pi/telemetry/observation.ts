/**
 * The facts that telemetry knows of a session: figures, and names of models, providers, tools and policies. There is no field for
 * a text, a path or the name of an episode, so none can be sent.
 */

import type { TurnMetrics } from "../health/turns.ts";

/** Tokens are the provider's unless said otherwise; times are ms since 1970. */
export type Observation =
	| RequestObservation
	| ToolObservation
	| ContextObservation
	| AccountObservation
	| PassObservation
	| HealthObservation
	| TurnObservation
	| ZoneObservation
	| SpikeObservation
	| AlertObservation
	| RecallObservation;

/** The model answered, or failed to. */
export interface RequestObservation {
	readonly type: "request";
	/** As pi names it. */
	readonly provider: string;
	readonly model: string;
	/** Absent when the provider does not say which one answered. */
	readonly responseModel?: string;
	readonly start: number;
	readonly end: number;
	/** Of all input, cached or not. */
	readonly input: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	readonly output: number;
	/** In the words that providers use: `stop`, `tool_calls`, `length`, `error`, `aborted`. */
	readonly finishReason: string;
	/** Absent for answers that came whole. */
	readonly failure?: Failure;
}

/** `_OTHER` is the conventions' word for what has no name. */
export type Failure = `${number}` | "aborted" | "_OTHER";

export interface ToolObservation {
	readonly type: "tool";
	/** Of a tool that exists: a model may call anything. */
	readonly name: string;
	readonly start: number;
	readonly end: number;
	readonly isError: boolean;
}

/** How full the context was in the last request. */
export interface ContextObservation {
	readonly type: "context";
	readonly used: number;
	readonly budget: number;
	/** Absent until a provider reports what it had cached. */
	readonly cachedShare?: number;
}

/** The columns of a request's input; known when the next one goes out. */
export interface AccountObservation {
	readonly type: "account";
	readonly cached: number;
	readonly added: number;
	readonly rewritten: number;
	readonly expired: number;
	/** True if a pass cut the prefix that it shared with the request before. */
	readonly isPrefixBreak: boolean;
}

/** Tokens of ours. */
export interface PassObservation {
	readonly type: "pass";
	readonly policy: string;
	readonly time: number;
	readonly budget: number;
	readonly before: number;
	readonly after: number;
	readonly episodes: number;
	/** How many things still held the context above its budget. */
	readonly blockers: number;
}

/** Tokens of ours, for the session so far. */
export interface HealthObservation {
	readonly type: "health";
	readonly regretted: number;
}

/** The metrics of a turn that ended. */
export interface TurnObservation
	extends Pick<
		TurnMetrics,
		"utilization" | "evictionRate" | "compressionRatio" | "burnRate" | "inSight" | "retained" | "bloat"
	> {
	readonly type: "turn";
}

/** A request is in another zone than the one before it. */
export interface ZoneObservation {
	readonly type: "zone";
	readonly from: string;
	readonly to: string;
}

export interface SpikeObservation {
	readonly type: "spike";
}

export interface AlertObservation {
	readonly type: "alert";
	readonly grade: string;
	/** The first word of its id. */
	readonly kind: string;
}

export interface RecallObservation {
	readonly type: "recall";
	/** `model` or `person`. */
	readonly by: string;
	readonly isFound: boolean;
}
