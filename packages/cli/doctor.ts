/** `cwl doctor`: versions, the host found, settings in force with their origins, and the tokens of the prompt. */
import { execFileSync } from "node:child_process";
import { visibleText } from "#core/projection";
import {
	assemblePrompt,
	describeSettings,
	loadSettings,
	loadTokenCounter,
	settingKeys,
	TOOL_FRAMING,
	toolText,
	toolWords,
} from "#pi";
import { findProgram } from "#workspace";
import { readArguments } from "./arguments.ts";
import { findHosts } from "./host-finder.ts";
import { ownVersion } from "./own-version.ts";
import { findStartingBudget } from "./starting-budget.ts";

const usage = `cwl doctor [--json]: versions, the pi found, settings in force and where from, tokens of prompt and tools
`;

/** Returns 1 if there is a problem: no runnable pi, no git, or a wrong setting. */
export async function runDoctor(argv: readonly string[]): Promise<number> {
	const options = { json: { type: "boolean" }, help: { type: "boolean" } } as const;
	const { values } = readArguments({ args: [...argv], options });
	if (values.help) {
		process.stdout.write(usage);
		return 0;
	}
	const report = await examine();
	process.stdout.write(values.json ? `${JSON.stringify(report, undefined, 2)}\n` : describe(report));
	return report.problems.length > 0 ? 1 : 0;
}

type Report = Awaited<ReturnType<typeof examine>>;

async function examine() {
	const hosts = findHosts();
	const host = hosts.find((candidate) => candidate.isRunnable);
	const loaded = loadSettings({ cwd: process.cwd(), environment: process.env, flags: {} });
	const git = gitVersion();
	const problems = [...loaded.problems];
	if (!host) problems.push("no pi that this Node can run: npm install @mariozechner/pi-coding-agent");
	if (!git) problems.push("git was not found: git status and the listing of repositories need it");
	const prompt = await promptTokens();
	const fixed = { system: prompt.systemTokens, tools: prompt.toolTokens };
	return {
		version: 1,
		versions: { cwl: ownVersion(), node: process.versions.node, git: git ?? "missing" },
		host: host ? { name: host.name, version: host.version, directory: host.directory } : undefined,
		otherHosts: hosts
			.filter((other) => other !== host)
			.map(({ name, version, engines }) => ({ name, version, engines })),
		settings: describeSettings(loaded.settings),
		origins: loaded.origins,
		budget: await findStartingBudget(loaded, fixed),
		prompt,
		problems,
	};
}

/** Tokens (o200k) of our prompt and tool definitions as sent, before the project's own AGENTS.md and skills. */
async function promptTokens() {
	const count = await loadTokenCounter();
	const systemTokens = count(assemblePrompt({ cwd: process.cwd() }));
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
		`a session begins with budget ${budget.reason}`,
		`prompt ${prompt.systemTokens} + tools ${prompt.toolTokens} = ${prompt.totalTokens} tokens`,
		...report.problems.map((problem) => `problem: ${problem}`),
	];
	// Names and values of a project's settings are the project's text.
	return visibleText(`${lines.join("\n")}\n`);
}
