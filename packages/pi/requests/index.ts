export { noBreakpoints, placeBreakpoints } from "./cache-breakpoints.ts";
export { isCacheCold, readCacheLifetimes, readLastWarming, readRetention } from "./cache-lifetime.ts";
export { bindsThinking, isManualThinking } from "./thinking-binding.ts";
export { createTrafficMeter, type TrafficMeter } from "./traffic-meter.ts";
