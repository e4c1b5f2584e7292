/** The scratch repository of a seed: its facts, the paths of its files, and their text, plausible and no longer than needed. */
import { readFileSync } from "node:fs";
import { type Fields, fill } from "./kinds.ts";
import { createRandom, type Random } from "./random.ts";
import TEXTS from "./texts.json" with { type: "json" };

export const OPERATORS = ["<", "<=", ">", ">="] as const;
export type Operator = (typeof OPERATORS)[number];

export type ModuleFact = ReturnType<typeof describeModule>;
export type ConstantFact = ModuleFact["constants"][number];
export type FunctionFact = ModuleFact["functions"][number];

const { topics: TOPICS, measures: MEASURES, locals: LOCALS, knobs: KNOBS, verbs: VERBS } = TEXTS.repository;
const NOUNS: Readonly<Record<string, readonly string[]>> = TEXTS.repository.nouns;
const MODULE_COUNT = 6;
const CONSTANT_COUNT = 34;
const SETTING_COUNT = 60;

/** The facts of a seed's repository before any task. */
export function describeRepository(seed: number): readonly ModuleFact[] {
	const random = createRandom(seed);
	const names = random.shuffle(Object.keys(NOUNS)).slice(0, MODULE_COUNT);
	return names.map((name) => describeModule(random, name));
}

function describeModule(random: Random, module: string) {
	const constants = drawPairs(random, MEASURES, CONSTANT_COUNT).map(([topic, measure]) => ({
		name: `${module.toUpperCase()}_${topic}_${measure}`,
		description: `The ${topic.toLowerCase()} ${measure.toLowerCase()} of ${module}`,
		value: random.between(2, 400),
		module,
	}));
	const functions = (NOUNS[module] ?? []).map((noun) => ({
		name: `${random.pick(VERBS)}${noun}`,
		noun,
		module,
		operator: random.pick(OPERATORS),
		/** The constant that the function compares with. */
		bound: random.pick(constants).name,
		/** The local that holds a fixed number until a task reads it from the settings. */
		local: random.pick(LOCALS),
		fixed: random.between(2, 90) * 10,
	}));
	const settings = drawPairs(random, KNOBS, SETTING_COUNT).map(([topic, knob]) => ({
		name: topic.toLowerCase() + titleOf(knob),
		value: random.between(1, 900),
	}));
	return { name: module, constants, functions, settings };
}

/** Different pairs of a topic and one of some words. */
function drawPairs(random: Random, words: readonly string[], count: number) {
	const pairs = TOPICS.flatMap((topic) => words.map((word) => [topic, word] as const));
	return random.shuffle(pairs).slice(0, count);
}

/** The files of a module. */
export const pathsOf = (module: string) => ({
	constants: `src/${module}/constants.ts`,
	settings: `src/${module}/settings.ts`,
	service: `src/${module}/service.ts`,
	routes: `src/${module}/routes.ts`,
	config: `config/${module}.json`,
	docs: `docs/${module}.md`,
});

/** The name of the interface that types the settings of a module. */
export const settingsType = (module: string): string => `${titleOf(module)}Settings`;

const titleOf = (module: string): string => module.charAt(0).toUpperCase() + module.slice(1);

export interface SourceFile {
	readonly path: string;
	readonly text: string;
}

/** The templates of the files and of what they repeat, by name. */
const TEMPLATES = new Map(
	readFileSync(new URL("./storefront.txt", import.meta.url), "utf8")
		.split(/^%% /m)
		.map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n") + 1)]),
);

const render = (template: string, fields: Fields): string => fill(TEMPLATES.get(template) ?? "", fields);

/** Every file of the repository. Git ignores those under dist/, which are outdated decoys. */
export function renderRepository(modules: readonly ModuleFact[]): readonly SourceFile[] {
	const list = modules.map((module) => render("readme-row", { module: module.name })).join("");
	return [
		...modules.flatMap((module, index) =>
			renderModule(module, modules[(index + 1) % modules.length] ?? module),
		),
		{ path: "src/shared/load-settings.ts", text: render("loader", {}) },
		{ path: "README.md", text: render("readme", { count: modules.length, list }) },
		{ path: "package.json", text: render("manifest", {}) },
		{ path: ".gitignore", text: "dist/\nnode_modules/\n*.log\n" },
	];
}

function renderModule(module: ModuleFact, neighbour: ModuleFact): readonly SourceFile[] {
	const { name, constants, functions, settings } = module;
	const paths = pathsOf(name);
	const shared = { module: name, title: titleOf(name), type: settingsType(name), neighbour: neighbour.name };
	const each = (template: string, items: readonly object[], between = "") =>
		items.map((item) => render(template, { ...shared, ...item })).join(between);
	const file = (path: string, template: string, more: object): SourceFile => {
		return { path, text: render(template, { ...shared, ...more }) };
	};
	const facts = functions.map((fact) => ({ ...fact, lower: fact.noun.toLowerCase() }));
	const bounds = [...new Set(functions.map(({ bound }) => bound))].sort();
	const config = Object.fromEntries(settings.map((setting) => [setting.name, setting.value]));
	const decoys = constants.map((fact) => ({ ...fact, value: fact.value + 1000 }));
	return [
		file(paths.constants, "constants", {
			entries: each("constant", constants, "\n"),
			table: each("table-row", constants),
		}),
		file(paths.settings, "settings", { fields: each("setting", settings) }),
		file(paths.service, "service", {
			bounds: bounds.join(", "),
			functions: each("function", facts, "\n").trimEnd(),
		}),
		file(paths.routes, "routes", {
			names: functions.map((fact) => fact.name).join(", "),
			guest: neighbour.functions[0]?.name,
			handlers: each("handler", facts, "\n"),
		}),
		{ path: paths.config, text: `${JSON.stringify(config, undefined, "\t")}\n` },
		file(paths.docs, "docs", {
			sections: each("docs-section", facts, "\n"),
			rows: each("docs-row", constants),
		}),
		{
			path: `dist/${name}/constants.js`,
			text: each("decoy-constant", decoys) + each("decoy-function", functions),
		},
	];
}
