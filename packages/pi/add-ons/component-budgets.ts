/** Soft and hard limits of the six components as people write them: a profile, limits by component, or both. A hard limit of 1 is none. */
import { type ComponentBudget, withComponentBudgets } from "#core/add-ons";
import { type BudgetComponent, budgetComponents } from "#core/ledger";
import type { Layer } from "#core/planning";
import { refusal } from "../errors.ts";
import { suggestName } from "../screen/nearest.ts";
import { defineSetting, readParts } from "../setting.ts";

type Budgets = Readonly<Partial<Record<BudgetComponent, ComponentBudget>>>;

const noBudgets: Budgets = {};

/** No pass makes prompt and tools smaller, so that they have to leave room for the work: an alert names them. */
export const defaultComponentBudgets: Budgets = {
	system: { soft: 0.2, hard: 1 },
	tools: { soft: 0.2, hard: 1 },
};

/** Makes room by passes for the components that are above a hard limit; undefined where no limit is below the whole budget. */
export function componentBudgetLayer(budgets: Budgets): Layer | undefined {
	const hard = Object.fromEntries(Object.entries(budgets).filter(([, limit]) => limit.hard < 1));
	return Object.keys(hard).length === 0 ? undefined : (policy) => withComponentBudgets(policy, hard);
}

/** The soft limit as a share of the hard one, where none is given; from the seed. */
const SOFT_SHARE = 0.8;

/** A limit from its hard share; twelve digits hide what binary fractions add. */
function limitAt(hard: number): ComponentBudget {
	return { soft: Number((SOFT_SHARE * hard).toPrecision(12)), hard };
}

function profile(hard: Readonly<Record<BudgetComponent, number>>): Budgets {
	return Object.fromEntries(budgetComponents.map((name) => [name, limitAt(hard[name])]));
}

/** Each adds up to the whole budget. docs/health.md says why they differ from the seed's table. */
const profiles = {
	coding: profile({ system: 0.06, tools: 0.06, history: 0.28, toolResults: 0.45, memory: 0.1, output: 0.05 }),
	research: profile({
		system: 0.05,
		tools: 0.05,
		history: 0.25,
		toolResults: 0.45,
		memory: 0.15,
		output: 0.05,
	}),
	review: profile({ system: 0.06, tools: 0.06, history: 0.2, toolResults: 0.55, memory: 0.08, output: 0.05 }),
};
const profileByName: ReadonlyMap<unknown, Budgets> = new Map(Object.entries(profiles));
const profileNames: readonly string[] = Object.keys(profiles);

/** Ends an error message that begins with "use". */
const componentBudgetsAllowed = `off, one of ${profileNames.join(", ")}, or limits such as "coding,toolResults=0.3/0.4,memory=0.1": for any of ${budgetComponents.join(", ")} a hard limit above 0 and up to 1 (none), or a soft one before it; hard limits add up to at most 1`;

/** Reads `off`, a profile, limits, or a profile with other limits. @throws CwlError for what is no component */
function parseComponentBudgets(raw: unknown): Budgets | undefined {
	if (raw === "off") return noBudgets;
	const { words, values } = readParts(raw) ?? { words: [""], values: [] };
	const [name, ...more] = words;
	const base = name === undefined ? defaultComponentBudgets : profileByName.get(name);
	const own = values.map(([part, value]) => [part, readLimit(part, value)] as const);
	if (!base || more.length > 0 || own.some(([, limit]) => !limit)) return undefined;
	const budgets: Budgets = { ...base, ...Object.fromEntries(own) };
	const sum = Object.values(budgets).reduce((total, { hard }) => total + (hard < 1 ? hard : 0), 0);
	return Number(sum.toPrecision(3)) > 1 ? undefined : budgets;
}

/** A hard limit, or a soft and a hard one; undefined for what is none. @throws CwlError for what is no component */
function readLimit(part: string, value: string): ComponentBudget | undefined {
	if (!budgetComponents.some((known) => known === part)) {
		const hint = suggestName(part, budgetComponents);
		throw refusal(
			`componentBudgets.${part} is no component: use any of ${budgetComponents.join(", ")}.${hint}`,
		);
	}
	const [first = 0, second] = value.split("/").map(Number);
	const limit = second === undefined ? limitAt(first) : { soft: first, hard: second };
	return limit.soft > 0 && limit.soft <= limit.hard && limit.hard <= 1 ? limit : undefined;
}

/** `off`, the name of a profile, or a list; `parseComponentBudgets` reads the same back. */
function formatComponentBudgets(budgets: Budgets): string {
	const list = formatList(budgets);
	const named = profileNames.find((name) => formatList(profileByName.get(name) ?? {}) === list);
	return named ?? (list === "" ? "off" : list);
}

function formatList(budgets: Budgets): string {
	return budgetComponents
		.flatMap((name) => {
			const limit = budgets[name];
			return limit ? [`${name}=${limit.soft}/${limit.hard}`] : [];
		})
		.join(",");
}

export const componentBudgetsSetting = defineSetting({
	default: defaultComponentBudgets,
	allowed: componentBudgetsAllowed,
	parse: parseComponentBudgets,
	format: formatComponentBudgets,
	choices: ["off", ...profileNames],
	cost: "coding, research and review make twice the passes at .96, .96 and 1.00 of the cost, and keep 88.6, 88.4 and 90.2 instead of 91.6 % of edits (budget 40k)",
});
