/** The scratch repository of a seed: its facts, the paths of its files, and their text, plausible and no longer than needed. */
import { createRandom, type Random } from "./random.ts";
import { TEXTS } from "./texts.ts";

export type Operator = "<" | "<=" | ">" | ">=";

export interface ConstantFact {
	readonly name: string;
	readonly description: string;
	readonly value: number;
	readonly module: string;
}

export interface FunctionFact {
	readonly name: string;
	readonly noun: string;
	readonly module: string;
	readonly operator: Operator;
	/** The constant that the function compares with. */
	readonly bound: string;
	/** The local that holds a fixed number until a task reads it from the settings. */
	readonly local: string;
	readonly fixed: number;
}

interface SettingFact {
	readonly name: string;
	readonly value: number;
}

export interface ModuleFact {
	readonly name: string;
	readonly constants: readonly ConstantFact[];
	readonly functions: readonly FunctionFact[];
	readonly settings: readonly SettingFact[];
}

export interface Blueprint {
	readonly modules: readonly ModuleFact[];
}

const { topics: TOPICS, measures: MEASURES, locals: LOCALS, knobs: KNOBS, verbs: VERBS } = TEXTS.repository;
const NOUNS: Readonly<Record<string, readonly string[]>> = TEXTS.repository.nouns;
const MODULE_COUNT = 6;
const CONSTANT_COUNT = 34;
const SETTING_COUNT = 60;

/** The facts of a seed's repository before any task. */
export function describeRepository(seed: number): Blueprint {
	const random = createRandom(seed);
	const names = random.shuffle(Object.keys(NOUNS)).slice(0, MODULE_COUNT);
	return { modules: names.map((name) => describeModule(random, name)) };
}

function describeModule(random: Random, module: string): ModuleFact {
	const constants = describeConstants(random, module);
	const bounds = constants.map((constant) => constant.name);
	const functions = (NOUNS[module] ?? []).map(
		(noun): FunctionFact => ({
			name: `${random.pick(VERBS)}${noun}`,
			noun,
			module,
			operator: random.pick(["<", "<=", ">", ">="]),
			bound: random.pick(bounds),
			local: random.pick(LOCALS),
			fixed: random.between(2, 90) * 10,
		}),
	);
	return { name: module, constants, functions, settings: describeSettings(random) };
}

function describeConstants(random: Random, module: string): readonly ConstantFact[] {
	const pairs = TOPICS.flatMap((topic) => MEASURES.map((measure) => ({ topic, measure })));
	return random
		.shuffle(pairs)
		.slice(0, CONSTANT_COUNT)
		.map(({ topic, measure }) => ({
			name: `${module.toUpperCase()}_${topic}_${measure}`,
			description: `The ${topic.toLowerCase()} ${measure.toLowerCase()} of ${module}`,
			value: random.between(2, 400),
			module,
		}));
}

function describeSettings(random: Random): readonly SettingFact[] {
	const pairs = TOPICS.flatMap((topic) => KNOBS.map((knob) => ({ topic: topic.toLowerCase(), knob })));
	return random
		.shuffle(pairs)
		.slice(0, SETTING_COUNT)
		.map(({ topic, knob }) => ({
			name: `${topic}${knob.charAt(0).toUpperCase()}${knob.slice(1)}`,
			value: random.between(1, 900),
		}));
}

export const constantsPath = (module: string): string => `src/${module}/constants.ts`;
export const settingsPath = (module: string): string => `src/${module}/settings.ts`;
export const servicePath = (module: string): string => `src/${module}/service.ts`;
export const routesPath = (module: string): string => `src/${module}/routes.ts`;
export const configPath = (module: string): string => `config/${module}.json`;
export const docsPath = (module: string): string => `docs/${module}.md`;

/** The name of the interface that types the settings of a module. */
export const settingsType = (module: string): string => `${titleOf(module)}Settings`;

export const titleOf = (module: string): string => module.charAt(0).toUpperCase() + module.slice(1);

export interface SourceFile {
	readonly path: string;
	readonly text: string;
}

/** Every file of the repository. Git ignores those under dist/, which are outdated decoys. */
export function renderRepository(blueprint: Blueprint): readonly SourceFile[] {
	const { modules } = blueprint;
	return [
		...modules.flatMap((module, index) => {
			const neighbour = modules[(index + 1) % modules.length] ?? module;
			return renderModule(module, neighbour);
		}),
		{ path: "src/shared/load-settings.ts", text: renderLoader() },
		{ path: "README.md", text: renderReadme(modules) },
		{ path: "package.json", text: renderManifest() },
		{ path: ".gitignore", text: "dist/\nnode_modules/\n*.log\n" },
	];
}

function renderModule(module: ModuleFact, neighbour: ModuleFact): readonly SourceFile[] {
	const { name } = module;
	return [
		{ path: constantsPath(name), text: renderConstants(module) },
		{ path: settingsPath(name), text: renderSettings(module) },
		{ path: servicePath(name), text: renderService(module) },
		{ path: routesPath(name), text: renderRoutes(module, neighbour) },
		{ path: configPath(name), text: renderConfig(module) },
		{ path: docsPath(name), text: renderDocs(module, neighbour) },
		{ path: `dist/${name}/constants.js`, text: renderDecoy(module) },
	];
}

function renderConstants(module: ModuleFact): string {
	const entries = module.constants.map(
		({ name, description, value }) => `/** ${description}. */\nexport const ${name} = ${value};\n`,
	);
	const table = module.constants.map(({ name }) => `\t${name},`).join("\n");
	return [
		`/** Fixed numbers of the ${module.name} module; change one here and nowhere else. */\n`,
		...entries,
		`/** All of them by name, for the diagnostics page. */\nexport const ${module.name}Numbers = {\n${table}\n};\n`,
	].join("\n");
}

function renderSettings(module: ModuleFact): string {
	const fields = module.settings.map(
		({ name }) => `\t/** See config/${module.name}.json; a whole number. */\n\treadonly ${name}: number;`,
	);
	const type = settingsType(module.name);
	return [
		`import { loadSettings } from "../shared/load-settings.ts";\n`,
		`/** What an operator may tune in the ${module.name} module. */\nexport interface ${type} {`,
		...fields,
		`}\n\nexport const settings: ${type} = loadSettings<${type}>("${module.name}");\n`,
	].join("\n");
}

function renderService(module: ModuleFact): string {
	const title = titleOf(module.name);
	const bounds = [...new Set(module.functions.map((fact) => fact.bound))].sort();
	return [
		`import { ${bounds.join(", ")} } from "./constants.ts";`,
		`import { settings } from "./settings.ts";\n`,
		`export interface ${title}Line {\n\treadonly id: string;\n\treadonly amount: number;\n\treadonly age: number;\n\treadonly open: boolean;\n}\n`,
		`export interface ${title}Result {\n\treadonly kept: readonly ${title}Line[];\n\treadonly total: number;\n\treadonly note: string;\n}\n`,
		`/** The tuning in force, for the log line at start. */\nexport const tuning = JSON.stringify(settings);\n`,
		...module.functions.map((fact) => `${renderFunction(fact, title)}\n${renderExplanation(fact, title)}`),
	].join("\n");
}

function renderFunction(fact: FunctionFact, title: string): string {
	const noun = fact.noun.toLowerCase();
	return `/** Goes through the ${noun} lines and keeps what the bound lets through. */
export function ${fact.name}(lines: readonly ${title}Line[]): ${title}Result {
	const ${fact.local} = ${fact.fixed};
	const kept: ${title}Line[] = [];
	const skipped: string[] = [];
	let total = 0;
	for (const line of lines) {
		if (!line.open) {
			skipped.push(line.id);
			continue;
		}
		if (line.amount ${fact.operator} ${fact.bound}) {
			kept.push(line);
			total += line.amount * ${fact.local};
		} else {
			skipped.push(line.id);
		}
	}
	const average = kept.length === 0 ? 0 : total / kept.length;
	const note = skipped.length === 0
		? \`every ${noun} line was kept, \${average} on average\`
		: \`\${skipped.length} ${noun} lines were skipped: \${skipped.join(", ")}\`;
	return { kept, total, note };
}
`;
}

function renderExplanation(fact: FunctionFact, title: string): string {
	return `/** One ${fact.noun.toLowerCase()} line in words, for the log and for the people who answer the phone. */
export function explain${fact.noun}(line: ${title}Line): string {
	const state = line.open ? "still open" : "closed";
	const amount = line.amount.toFixed(2);
	switch (line.id.charAt(0)) {
		case "a":
			return \`${fact.noun} \${line.id} was entered by hand and is \${state}, with an amount of \${amount}\`;
		case "i":
			return \`${fact.noun} \${line.id} came in with the nightly import and is \${state}, with an amount of \${amount}\`;
		default:
			return \`${fact.noun} \${line.id} is \${state} after \${line.age} days, with an amount of \${amount}\`;
	}
}
`;
}

function renderRoutes(module: ModuleFact, neighbour: ModuleFact): string {
	const guest = neighbour.functions[0];
	const names = module.functions.map((fact) => fact.name);
	const handlers = module.functions.map((fact) => {
		const path = `/${module.name}/${fact.noun.toLowerCase()}`;
		return `/** POST ${path} answers with the kept lines and a note. */\nexport function handle${fact.noun}(body: string): string {\n\tconst lines = JSON.parse(body);\n\tif (!Array.isArray(lines)) {\n\t\treturn JSON.stringify({ error: "${path} expects a list of lines" });\n\t}\n\tconst result = ${fact.name}(lines);\n\treturn JSON.stringify({ total: result.total, note: result.note, kept: result.kept.length });\n}\n`;
	});
	return [
		`import { ${names.join(", ")} } from "./service.ts";`,
		guest ? `import { ${guest.name} } from "../${neighbour.name}/service.ts";\n` : "",
		...handlers,
		guest
			? `/** The ${neighbour.name} module joins in at the end of the day. */\nexport const closing = [${guest.name}];\n`
			: "",
	].join("\n");
}

function renderConfig(module: ModuleFact): string {
	const entries = module.settings.map(({ name, value }) => [name, value] as const);
	return `${JSON.stringify(Object.fromEntries(entries), undefined, "\t")}\n`;
}

function renderDocs(module: ModuleFact, neighbour: ModuleFact): string {
	const sections = module.functions.map(
		(fact) =>
			`## ${fact.noun}\n\n\`${fact.name}\` goes through the open lines one by one. A line counts when its amount passes\nthe bound \`${fact.bound}\`; all others are named in the note of the result.\n\nThe route calls \`${fact.name}\` once a request and never keeps the lines. Lines that are closed do not\ncount, whatever their amount; they stay in the list so that the totals of last month can be explained.\n\nWhen a customer asks about a ${fact.noun.toLowerCase()}, read the line aloud with \`explain${fact.noun}\` and offer to send the\nnote. Never promise a date: the import runs at night, and a line may close before anybody looks at it.\n`,
	);
	const rows = module.constants.map((fact: ConstantFact) => `| \`${fact.name}\` | ${fact.description} |`);
	return [
		`# ${titleOf(module.name)}\n\nHow the ${module.name} module works, and where it meets ${neighbour.name}.\n`,
		...sections,
		`## Numbers\n\n| constant | meaning |\n| --- | --- |\n${rows.join("\n")}\n`,
		`## Tuning\n\nOperators tune the module in \`config/${module.name}.json\`. Each option has a line in the\ninterface \`${settingsType(module.name)}\`, and takes effect at the next start.\n`,
	].join("\n");
}

function renderDecoy(module: ModuleFact): string {
	const lines = module.constants.map(({ name, value }) => `export const ${name} = ${value + 1000};`);
	const stubs = module.functions.map(({ name }) => `export function ${name}(lines) { return lines; }`);
	return `${[...lines, ...stubs].join("\n")}\n`;
}

function renderLoader(): string {
	return `import { readFileSync } from "node:fs";\n\n/** Reads config/<module>.json once, at start. */\nexport function loadSettings<T>(module: string): T {\n\treturn JSON.parse(readFileSync(\`config/\${module}.json\`, "utf8"));\n}\n`;
}

function renderReadme(modules: readonly ModuleFact[]): string {
	const rows = modules.map(({ name }) => `- \`src/${name}\`: see [docs/${name}.md](docs/${name}.md)`);
	return `# Storefront\n\nThe back office of a small shop, in ${modules.length} modules.\n\n${rows.join("\n")}\n\nAnswers to questions that came up are kept in \`notes/\`.\n`;
}

function renderManifest(): string {
	const manifest = { name: "storefront", private: true, type: "module", scripts: { test: "node --test" } };
	return `${JSON.stringify(manifest, undefined, "\t")}\n`;
}
