export { type BreakpointMemory, placeBreakpoints, resumeBreakpoints } from "./cache-breakpoints.ts";
export { cacheEnd, lifetimeOf, readLastWarming, readRetention } from "./cache-lifetime.ts";
export { MIN_SAVINGS, savedByWarming, type WarmingEvent } from "./cache-warming.ts";
export { bindsThinking, isManualThinking } from "./thinking-binding.ts";
export { createTrafficMeter, type TrafficMeter } from "./traffic-meter.ts";
