/**
 * The features of the seeds that the default does without: each add-on has its settings and its tests in one module, and is
 * registered here. By default, zones act on a spike alone, component budgets alert alone, and fading is off.
 */
import type { Layer } from "#core/planning";
import type { Setting } from "../setting.ts";
import { componentBudgetLayer, componentBudgetsSetting } from "./component-budgets.ts";
import { fadingLayer, fadingSetting } from "./fading.ts";
import { zonesSetting } from "./zones.ts";

export { enterZone, type Spike, type ZoneChange, type ZoneState } from "./zone-change.ts";
export { isClosing, planZonePass } from "./zone-pass.ts";
export { resolveZones } from "./zones.ts";

export const addOnSettings = {
	zones: zonesSetting,
	componentBudgets: componentBudgetsSetting,
	fading: fadingSetting,
};

type Value<K extends keyof typeof addOnSettings> =
	(typeof addOnSettings)[K] extends Setting<infer T> ? T : never;

/** The layers around the policy that settings ask for, the innermost first. */
export function layersOf(settings: {
	readonly fading: Value<"fading">;
	readonly componentBudgets: Value<"componentBudgets">;
}): readonly Layer[] {
	const layers = [fadingLayer(settings.fading), componentBudgetLayer(settings.componentBudgets)];
	return layers.filter((layer) => layer !== undefined);
}
