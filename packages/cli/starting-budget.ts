/** The budget that a session begins with under the settings in force, on the model that pi starts with. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { autoBudgetFor, lowWaterOf } from "#core/planning";
import {
	agentDirectory,
	budgetTokens,
	CwlError,
	createManagedSession,
	defaultToolTable,
	explainAutoBudget,
	explainFixedBudget,
	type LoadedSettings,
	loadTokenCounter,
	policyByName,
} from "#pi";
import { loadModels, type ModelProfile } from "#replay";

export interface StartingBudget {
	readonly mode: "auto" | "fixed";
	/** Tokens; a request above this makes a pass. */
	readonly highWater: number;
	/** Tokens; where a pass stops. */
	readonly lowWater: number;
	/** One sentence. */
	readonly reason: string;
}

/** @param fixed tokens of the system prompt and of the tools */
export async function findStartingBudget(
	{ settings }: LoadedSettings,
	fixed: { readonly system: number; readonly tools: number },
): Promise<StartingBudget> {
	const name = readDefaultModel(agentDirectory(process.env));
	const model = name === undefined ? undefined : await loadModel(name);
	const budget = budgetTokens(settings.budget, model?.contextWindow, settings.attentionCap);
	const policy = policyByName(settings.policy);
	const session = createManagedSession(await loadTokenCounter(), defaultToolTable);
	const prices = model && { prices: model.prices };
	const input = session.planInput([], { policy, budget, fixed, lowWater: settings.lowWater, ...prices });
	if (settings.budget.type === "auto") {
		const auto = autoBudgetFor(input);
		const { highWater, lowWater } = auto;
		return { mode: "auto", highWater, lowWater, reason: explainAutoBudget(auto, name) };
	}
	const lowWater = lowWaterOf(policy, input);
	return { mode: "fixed", highWater: budget, lowWater, reason: explainFixedBudget(budget, lowWater) };
}

/** `provider/id` in pi's own settings; undefined if the user never chose one. */
function readDefaultModel(directory: string): string | undefined {
	try {
		const settings: unknown = JSON.parse(readFileSync(join(directory, "settings.json"), "utf8"));
		const { defaultProvider, defaultModel } = { defaultProvider: "", defaultModel: "", ...Object(settings) };
		const isNamed = typeof defaultProvider === "string" && typeof defaultModel === "string";
		return isNamed && defaultProvider !== "" && defaultModel !== ""
			? `${defaultProvider}/${defaultModel}`
			: undefined;
	} catch {
		return undefined;
	}
}

/** Undefined for a model that nobody knows the prices of. */
async function loadModel(name: string): Promise<ModelProfile | undefined> {
	try {
		return (await loadModels([name]))[0];
	} catch (error) {
		if (error instanceof CwlError) return undefined;
		throw error;
	}
}
