export {
	type Health,
	measureHealth,
	measureVitals,
	type ReadableThinking,
	type Vitals,
} from "./health.ts";
export { createLoopBreaker } from "./loop-breaker.ts";
export { type Marks, measureMarks, type Nudge, nudgeFor } from "./marks.ts";
export {
	type BurnRate,
	type ComponentState,
	defaultZoneEnds,
	fastestGrowing,
	isSpike,
	measureBurnRate,
	measureComponentStates,
	measurePressure,
	type Pressure,
	type Zone,
	type ZoneEnds,
	zoneEndsFor,
} from "./pressure.ts";
