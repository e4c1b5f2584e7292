/** `npm run bench -- agents`: real agents, end to end, with the proxy, with their own compaction, and with nothing. */
import { networkInterfaces } from "node:os";
import { parseArgs } from "node:util";
import { loadModelPrices, markdownTable } from "#lab";
import { budgetTokens, CwlError, parseBudget } from "#pi";
import { readCount } from "../arguments.ts";
import { catchInterrupt, createProgress, INTERRUPTED } from "../progress.ts";
import { type RunFigures, summariseRun } from "../single-session/figures.ts";
import type { Manager } from "./programs.ts";
import { findProgram } from "./programs.ts";
import { type AgentRecord, agents, runAgent } from "./run.ts";

export const help = `npm run bench -- agents: the same tasks through pi, Claude Code, Codex and opencode

A scripted worker, which knows only what each request holds, drives the agent's own tools. Agents that are not on the
PATH are skipped. They must not reach a network: run it in a namespace that has only loopback, as root:

  npm install --prefix DIR @anthropic-ai/claude-code @openai/codex opencode-ai
  PATH=DIR/node_modules/.bin:$PATH unshare -n sh -c 'ip link set lo up && npm run bench -- agents'

  --agents pi,claude-code,codex,opencode
  --managers proxy,own,none   cwl proxy --enforce with cwl mcp (in pi the extension), own compaction, nothing
  --tasks 30                  in one session; halfway the proxy is ended with SIGKILL and started again
  --restart-agent             halfway the agent is ended and resumed as well; Codex is, for each task
  --budget 45k
  --seed 1
  --json                      figures as JSON
`;

const flags = {
	agents: { type: "string", default: "pi,claude-code,codex,opencode" },
	managers: { type: "string", default: "proxy,own,none" },
	tasks: { type: "string", default: "30" },
	budget: { type: "string", default: "45k" },
	seed: { type: "string", default: "1" },
	"restart-agent": { type: "boolean", default: false },
	json: { type: "boolean", default: false },
} as const;

const MANAGERS: readonly Manager[] = ["proxy", "own", "none"];
/** The models whose list prices apply to the traffic. */
const PRICED = ["anthropic/claude-sonnet-4-6", "openai/gpt-5.4"];

interface Row extends Pick<AgentRecord, "passes" | "marks" | "recalls" | "breaks" | "refusals"> {
	readonly agent: string;
	readonly manager: Manager;
	readonly budget: number;
	readonly figures: RunFigures;
	/** In dollars. */
	readonly cost: number;
}

/** Exit code 0 if every run ended, 130 if interrupted. */
export async function run(argv: readonly string[]): Promise<number> {
	const { values } = parseArgs({ args: [...argv], options: flags });
	refuseNetwork();
	const [anthropic, openai] = await loadModelPrices(PRICED);
	if (!anthropic || !openai) throw new CwlError("no-price", `no prices for ${PRICED.join(" and ")}.`);
	const [tasks, seed] = [readCount("tasks", values.tasks), readCount("seed", values.seed)];
	const budget = budgetTokens(parseBudget(values.budget), undefined);
	const { signal, release } = catchInterrupt();
	const rows: Row[] = [];
	for (const agent of installed(values.agents.split(","))) {
		for (const manager of MANAGERS.filter((name) => values.managers.split(",").includes(name))) {
			if (signal.aborted) break;
			const progress = createProgress(tasks, "tasks");
			const record = await runAgent({
				...{ agent, manager, budget, tasks, seed, signal, onProgress: progress },
				restartsAgent: values["restart-agent"],
			});
			const condition = { name: manager, policy: "cwl", budget, mode: "single", manager: "cwl" } as const;
			const figures = summariseRun(
				{ ...record, condition, seed, tasks, paid: undefined },
				{ anthropic, openai },
			);
			const { passes, marks, recalls, breaks, refusals } = record;
			for (const refusal of refusals) process.stderr.write(`${agent}, ${manager}: refused: ${refusal}\n`);
			const cost = (agent === "codex" ? figures.cost.openai : figures.cost.anthropic) ?? 0;
			rows.push({ agent, manager, budget, passes, marks, recalls, breaks, refusals, figures, cost });
		}
	}
	release();
	process.stdout.write(values.json ? `${JSON.stringify(rows, undefined, "\t")}\n` : format(rows));
	return signal.aborted ? INTERRUPTED : 0;
}

/** @throws CwlError where an agent could reach its maker */
function refuseNetwork() {
	const others = Object.keys(networkInterfaces()).filter((name) => name !== "lo");
	if (others.length === 0) return;
	throw new CwlError(
		"network",
		`this machine has the network ${others.join(", ")}, and the agents must not reach one: ${help
			.split("\n")
			.find((line) => line.includes("unshare"))
			?.trim()}`,
	);
}

function installed(names: readonly string[]): readonly string[] {
	return names.filter((name) => {
		const known = agents[name];
		if (!known)
			throw new CwlError(
				"bad-flag",
				`--agents has ${JSON.stringify(name)}: use ${Object.keys(agents).join(", ")}.`,
			);
		if (known.program === undefined || findProgram(known.program)) return true;
		process.stderr.write(`${name} is skipped: there is no program ${known.program} on the PATH.\n`);
		return false;
	});
}

function format(rows: readonly Row[]): string {
	const title = [
		...["agent", "context", "solved", "requests", "passes", "tokens", "largest request", "over budget"],
		...["refused", "breaks", "marks", "recalls", "re-explored", "cost"],
	];
	const lines = rows.map(({ agent, manager, figures, ...row }) => [
		...[
			agent,
			manager,
			`${figures.solved} of ${figures.tasks}`,
			String(figures.requests),
			String(row.passes),
		],
		...[`${(figures.tokensProcessed / 1e6).toFixed(2)}M`, String(figures.peakContext)],
		...[String(figures.overBudget), String(figures.refused), String(row.breaks)],
		...[String(row.marks), String(row.recalls)],
		...[String(figures.reexplorations), `$${row.cost.toFixed(2)}`],
	]);
	return `${markdownTable([title, ...lines]).join("\n")}\n`;
}
