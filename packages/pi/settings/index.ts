export { budgetTokens, formatBudget } from "./budget.ts";
export { agentDirectory, describeSettings, type LoadedSettings, loadSettings } from "./load-settings.ts";
export {
	flags,
	parseBudget,
	readValue,
	type Settings,
	STANDARD_ORIGIN,
	settingKeys,
	settingsSchema,
} from "./schema.ts";
