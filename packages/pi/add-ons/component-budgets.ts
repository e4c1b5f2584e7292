/** Soft and hard limits of the six components as people write them: a profile, limits by component, or both. A hard limit of 1 is none. */

import { Type } from "typebox";
import { Check } from "typebox/value";
import { isRecord } from "#basics";
import { type ComponentBudget, withComponentBudgets } from "#core/add-ons";
import { type BudgetComponent, budgetComponents } from "#core/ledger";
import type { Layer } from "#core/planning";
import { type CwlError, refusal } from "../errors.ts";
import { suggestName } from "../screen/nearest.ts";
import { defineSetting, showFound } from "../setting.ts";

const Share = Type.Number({ exclusiveMinimum: 0, maximum: 1 });
const LimitSchema = Type.Object({ soft: Share, hard: Share }, { additionalProperties: false });

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
const componentBudgetsAllowed = `off, one of ${profileNames.join(", ")}, or limits such as {"profile": "coding", "toolResults": {"soft": 0.3, "hard": 0.4}, "memory": 0.1, "tools": {"soft": 0.2}} for any of ${budgetComponents.join(", ")}`;

const LIMIT_ALLOWED =
	'use a hard limit above 0 and up to 1 (none), such as 0.4, or {"soft": 0.3, "hard": 0.4}';

/**
 * `off`, a profile, an object, or `profile=coding,toolResults=0.3/0.4` as a variable holds it.
 * @throws CwlError naming the part that is wrong
 */
function parseComponentBudgets(raw: unknown): Budgets | undefined {
	const given = readList(raw);
	if (given === "off") return noBudgets;
	if (!isRecord(given)) return profileByName.get(given);
	const { profile: name, ...parts } = given;
	if (name !== undefined && !profileByName.has(name)) {
		const hint = suggestName(String(name), profileNames);
		throw refuse(".profile", name, `use one of ${profileNames.join(", ")}.${hint}`);
	}
	const own = Object.fromEntries(
		Object.entries(parts).map(([part, value]) => [part, readLimit(part, value)]),
	);
	const budgets: Budgets = { ...(profileByName.get(name) ?? defaultComponentBudgets), ...own };
	const sum = Object.values(budgets).reduce((total, { hard }) => total + (hard < 1 ? hard : 0), 0);
	const rounded = Number(sum.toPrecision(12));
	if (rounded <= 1) return budgets;
	const percent = Number((100 * rounded).toPrecision(3));
	const problem = `its hard limits add up to ${percent} % of the budget; use limits that add up to at most 100 %.`;
	throw refuse("", raw, problem);
}

function refuse(part: string, found: unknown, problem: string): CwlError {
	return refusal(`componentBudgets${part} is ${showFound(found)}: ${problem}`);
}

function readLimit(part: string, value: unknown): ComponentBudget {
	if (!budgetComponents.some((known) => known === part)) {
		const hint = suggestName(part, budgetComponents);
		throw refuse(`.${part}`, value, `it is no component; use any of ${budgetComponents.join(", ")}.${hint}`);
	}
	const limit = typeof value === "number" ? limitAt(value) : isRecord(value) ? { hard: 1, ...value } : value;
	if (!Check(LimitSchema, limit)) throw refuse(`.${part}`, value, `${LIMIT_ALLOWED}.`);
	if (limit.soft <= limit.hard) return limit;
	throw refuse(`.${part}`, value, `soft is above hard; ${LIMIT_ALLOWED}.`);
}

function readList(raw: unknown): unknown {
	if (typeof raw !== "string" || !raw.includes("=")) return raw;
	return Object.fromEntries(
		raw.split(",").map((part) => {
			const [name = "", value = ""] = part.split("=").map((word) => word.trim());
			const [soft, hard] = value.split("/");
			if (name === "profile") return [name, value];
			return [name, hard === undefined ? Number(soft) : { soft: Number(soft), hard: Number(hard) }];
		}),
	);
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
