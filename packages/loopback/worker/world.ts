/** The repository as it is after the tasks generated so far: the basis of the next one. */

import { type ConstantFact, describeRepository, type FunctionFact, type Operator } from "./blueprint.ts";
import { docsPath, routesPath, servicePath } from "./layout.ts";

export interface LivingFunction extends FunctionFact {
	/** Every file under src and docs that names the function. */
	readonly paths: readonly string[];
	/** Its name before the latest renaming. */
	readonly formerName?: string;
	/** Its comparison before the latest fix, while the fix is in place and the name is the same. */
	readonly formerOperator?: Operator | undefined;
}

/** A constant that an earlier task added; the worker chose its name. */
export interface Introduced {
	readonly description: string;
	readonly module: string;
	value: number;
}

export interface World {
	readonly modules: readonly string[];
	readonly constants: Map<string, ConstantFact>;
	/** By service file and noun, which no task changes. */
	readonly functions: Map<string, LivingFunction>;
	readonly options: Map<string, string[]>;
	readonly introduced: Introduced[];
	readonly notes: Map<string, number>;
	/** Names and descriptions that must not be given out again. */
	readonly taken: Set<string>;
}

export function createWorld(seed: number): World {
	const { modules } = describeRepository(seed);
	const functions = modules.flatMap((module, index) => {
		const host = modules.at(index - 1);
		return module.functions.map((fact, position): LivingFunction => {
			const own = [servicePath, routesPath, docsPath].map((pathOf) => pathOf(module.name));
			return { ...fact, paths: position === 0 && host ? [...own, routesPath(host.name)] : own };
		});
	});
	return {
		modules: modules.map((module) => module.name),
		constants: new Map(modules.flatMap((module) => module.constants).map((fact) => [fact.name, fact])),
		functions: new Map(functions.map((fact) => [functionKey(fact), fact])),
		options: new Map(modules.map((module) => [module.name, module.settings.map((fact) => fact.name)])),
		introduced: [],
		notes: new Map(),
		taken: new Set(functions.map((fact) => fact.name)),
	};
}

export const functionKey = (fact: FunctionFact): string => `${fact.module}/${fact.noun}`;
