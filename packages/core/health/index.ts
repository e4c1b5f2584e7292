export { type ComponentState, fastestGrowing, measureComponentStates } from "./component-state.ts";
export {
	type Health,
	measureHealth,
	measureVitals,
	type ReadableThinking,
	type Vitals,
} from "./health.ts";
export { createLoopBreaker } from "./loop-breaker.ts";
export { type Marks, measureMarks } from "./marks.ts";
export { type Nudge, nudgeFor } from "./nudge.ts";
export {
	type BurnRate,
	defaultZoneEnds,
	isSpike,
	measureBurnRate,
	measurePressure,
	type Pressure,
	type Zone,
	type ZoneEnds,
	zoneEndsFor,
} from "./pressure.ts";
