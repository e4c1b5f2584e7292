export { type BurnRate, isSpike, measureBurnRate } from "./burn-rate.ts";
export { type ComponentState, measureComponentStates } from "./component-state.ts";
export {
	type Health,
	measureHealth,
	measureRunningHealth,
	measureVitals,
	type RunningHealth,
	type Vitals,
} from "./health.ts";
export { createLoopBreaker } from "./loop-breaker.ts";
export {
	defaultZoneEnds,
	measurePressure,
	type Pressure,
	type Zone,
	type ZoneEnds,
	zoneEndsFor,
	zoneOf,
} from "./pressure.ts";
export type { ReadableThinking } from "./readable-thinking.ts";
export type { Regret } from "./regret.ts";
export type { PassRegret } from "./regret-by-pass.ts";
