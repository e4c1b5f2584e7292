/** The features of the other seeds that measure no better than the default: each is off until a setting turns it on. */
export * from "./component-budgets.ts";
export { type FadingMode, fadingModes, planFadePass, withFading } from "./fading.ts";
export { seedPolicies } from "./seed-policies.ts";
