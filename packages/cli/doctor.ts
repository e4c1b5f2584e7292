/** `cwl doctor`: versions, the host found, settings in force with their origins, and the tokens of the prompt. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { countOf, visibleText } from "#basics";
import { findPrices } from "#pi";
import { loadTokenCounter, TOOL_FRAMING } from "#pi/codec";
import { assembleGuidance, assemblePrompt, toolText, toolWords } from "#pi/prompt";
import { readRetention } from "#pi/requests";
import { explainBudget } from "#pi/screen";
import { createManagedSession, policyByName } from "#pi/session";
import {
	agentDirectory,
	budgetTokens,
	describeSettings,
	type LoadedSettings,
	loadSettings,
	settingKeys,
} from "#pi/settings";
import { findProgram } from "#workspace";
import { jsonText, ownCommand, ownVersion, readCommand } from "./command-line.ts";
import { findHosts, hasModel, hostInstallation, loadModels, type PiHost } from "./host.ts";

const usage = `cwl doctor [--json]: versions, the pi found, settings in force and where from, tokens of prompt and tools
`;

/** Returns 1 if there is a problem: no runnable pi, no git, or a wrong setting. */
export async function runDoctor(argv: readonly string[]): Promise<number> {
	const read = readCommand(argv, usage, { json: { type: "boolean" } });
	if (!read) return 0;
	const report = await examine();
	process.stdout.write(read.values.json ? jsonText(report, 2) : describe(report));
	return report.problems.length > 0 ? 1 : 0;
}

type Report = Awaited<ReturnType<typeof examine>>;

async function examine() {
	const hosts = findHosts();
	const host = hosts.find((candidate) => candidate.isRunnable);
	const loaded = loadSettings({ cwd: process.cwd(), environment: process.env, flags: {} });
	const git = gitVersion();
	const problems = [...loaded.problems];
	if (!host) problems.push(`no pi that this Node can run: ${hostInstallation()}`);
	if (!git) problems.push("git was not found: git status and the listing of repositories need it");
	const prompt = await promptTokens(loaded.settings.prompt);
	const fixed = { system: prompt.systemTokens, tools: prompt.toolTokens };
	return {
		version: 1,
		versions: { cwl: ownVersion(), node: process.versions.node, git: git ?? "missing" },
		hasModel: host !== undefined && (await hasModel(host)),
		host: host ? { name: host.name, version: host.version, directory: host.directory } : undefined,
		otherHosts: hosts
			.filter((other) => other !== host)
			.map(({ name, version, engines }) => ({ name, version, engines })),
		settings: describeSettings(loaded.settings),
		origins: loaded.origins,
		budget: await findStartingBudget(loaded, fixed, host),
		prompt,
		problems,
		notes: loaded.notes,
	};
}

/** Tokens (o200k) of our prompt and tool definitions as sent, before the project's own AGENTS.md and skills. */
async function promptTokens(prompt: "cwl" | "pi") {
	const count = await loadTokenCounter();
	const systemTokens = count(prompt === "pi" ? assembleGuidance() : assemblePrompt({ cwd: process.cwd() }));
	const tools = Object.values(toolWords);
	const toolTokens = count(toolText(tools)) + tools.length * TOOL_FRAMING;
	return { systemTokens, toolTokens, totalTokens: systemTokens + toolTokens };
}

function gitVersion(): string | undefined {
	// A relative entry of PATH could name a program of the folder that is examined.
	const git = findProgram("git");
	if (git === undefined) return undefined;
	try {
		return execFileSync(git, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
			.replace("git version", "")
			.trim();
	} catch {
		return undefined;
	}
}

function describe(report: Report): string {
	const { versions, host, settings, origins, budget, prompt } = report;
	const lines = [
		`cwl ${versions.cwl}, Node ${versions.node}, git ${versions.git}`,
		host ? `pi ${host.version} (${host.name}) in ${host.directory}` : "pi: none that this Node can run",
		...report.otherHosts.map(
			({ name, version, engines }) => `also found: ${name} ${version}, needs Node ${engines}`,
		),
		...settingKeys.map((key) => `${key}: ${settings[key]} (${origins[key]})`),
		`A session begins with budget ${budget.reason}.`,
		"The budget is the most that a request may hold. A pass leaves finished work out of the requests; the session file keeps it.",
		`Each request begins with ${prompt.totalTokens} tokens of cwl: prompt ${prompt.systemTokens}, tools ${prompt.toolTokens}.`,
		...report.notes,
		...report.problems.map((problem) => `problem: ${problem}`),
		verdictOf(report),
	];
	// Names and values of a project's settings are the project's text.
	return visibleText(`${lines.join("\n")}\n`);
}

function verdictOf({ problems, hasModel }: Report): string {
	if (problems.length > 0) return `${countOf(problems.length, "problem")}: see above.`;
	if (hasModel) return "Everything that cwl needs is there.";
	return `Everything that cwl needs is there, except for a model: start ${ownCommand()} and type /login, or set a key such as ANTHROPIC_API_KEY.`;
}

/** The budget that a session begins with under the settings in force, on the model that pi starts with; `fixed` in tokens. */
async function findStartingBudget(
	{ settings }: LoadedSettings,
	fixed: { readonly system: number; readonly tools: number },
	host: PiHost | undefined,
) {
	const { provider, id } = readDefaultModel(agentDirectory(process.env));
	const model = host && (await loadModels(host))?.find(provider, id);
	const budget = budgetTokens(settings.budget, model?.contextWindow, settings.attentionCap);
	const policy = policyByName(settings.policy);
	const session = createManagedSession(await loadTokenCounter());
	const { prices } = model ? findPrices(model, Date.now(), readRetention(process.env)) : {};
	const { lowWater } = settings;
	const isAuto = settings.budget.type === "auto";
	const input = session.planInput([], { policy, budget, isAuto, fixed, lowWater, ...(prices && { prices }) });
	return explainBudget(policy, input, id || undefined);
}

/**
 * The model of the user's own settings for pi; both are "" if the user never chose one. pi's settings manager would take a lock,
 * which fails in a read-only home, and would read the settings of a folder that the user does not trust.
 */
function readDefaultModel(directory: string): { readonly provider: string; readonly id: string } {
	try {
		const settings: unknown = JSON.parse(readFileSync(join(directory, "settings.json"), "utf8"));
		const { defaultProvider, defaultModel } = { defaultProvider: "", defaultModel: "", ...Object(settings) };
		if (typeof defaultProvider === "string" && typeof defaultModel === "string")
			return { provider: defaultProvider, id: defaultModel };
	} catch {
		// No settings, or none that pi could read.
	}
	return { provider: "", id: "" };
}

/** `cwl 0.1.0 (pi 0.73.1, Node 20.20.2)`; says so when no pi was found. */
export function describeVersions(): string {
	const host = findHosts().find(({ isRunnable }) => isRunnable);
	return `cwl ${ownVersion()} (${host ? `pi ${host.version}` : "no pi found"}, Node ${process.versions.node})`;
}
