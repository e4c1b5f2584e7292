/** `cwl proxy`: the engine for any agent whose base URL can be changed. */
import { homedir } from "node:os";
import { join } from "node:path";
import { CwlError, messageOf } from "#pi";
import { budgetTokens, formatBudget, parseBudget } from "#pi/settings";
import { defaultUpstreams, startManagedProxy, type Upstreams } from "#proxy";
import { loadHost, verdictOf } from "#wire";
import { codeOf, ended, readCommand, readNumber } from "./command-line.ts";

const usage = `cwl proxy: runs a local proxy that watches the context of any agent, or keeps it below a budget

  --enforce               evict content above the budget; without it requests pass unchanged, and /health says what
                          eviction would have saved
  --budget auto           tokens of a whole request, system prompt and tools included, such as 160k; with auto the prices
                          of each request's model say where evictions begin and stop, below 160k
  --port 4141             the port on 127.0.0.1, 0 for any free one; nothing else can reach the proxy
  --upstream NAME=URL     another provider: agents reach it at /NAME; may be given several times
  --store FOLDER          where the evictions are kept; the state folder of your account when left out

Then set the agent's base URL, for example:
  ANTHROPIC_BASE_URL=http://127.0.0.1:4141/anthropic claude
`;

const DEFAULT_PORT = "4141";
/** The default is that of pi: `docs/results.md` compares it with fixed ones at today's prices. */
const DEFAULT_BUDGET = "auto";

const flags = {
	enforce: { type: "boolean", default: false },
	budget: { type: "string", default: DEFAULT_BUDGET },
	port: { type: "string", default: DEFAULT_PORT },
	upstream: { type: "string", multiple: true },
	store: { type: "string" },
} as const;

/** Runs until it is interrupted; returns 0 then. @throws CwlError when it cannot start */
export async function runProxy(argv: readonly string[]): Promise<number> {
	const read = readCommand(argv, usage, flags);
	if (!read) return 0;
	const { values } = read;
	const wanted = parseBudget(values.budget);
	const budget = budgetTokens(wanted, undefined);
	const mode = values.enforce ? "enforce" : "observe";
	const upstreams = readUpstreams(values.upstream ?? []);
	const port = readNumber("bad-port", "--port", values.port, 0, 65_535);
	const { proxy, status } = await startManagedProxy({
		mode,
		port,
		upstreams,
		budget,
		isAuto: wanted.type === "auto",
		folder: values.store ?? defaultFolder(),
		...(await loadHost()),
		today: () => new Date().toISOString().slice(0, 10),
		warn: (line) => process.stderr.write(`cwl proxy: ${line}\n`),
	}).catch((error: unknown) => {
		throw startError(error, port);
	});
	const stop = ended();
	const does =
		mode === "enforce"
			? `keeps requests below ${formatBudget({ type: "tokens", tokens: budget })} tokens${wanted.type === "auto" ? ", or lower where the model's prices make it pay" : ""}`
			: "watches and changes nothing";
	process.stdout.write(`The proxy at ${proxy.url} ${does}. Its figures: ${proxy.url}/health
Set the base URL of your agent to one of these:
${[...upstreams].map(([name, { origin }]) => `  ${proxy.url}/${name}  for ${origin}\n`).join("")}`);
	await stop;
	process.stdout.write(`\n${verdictOf(status())}\n`);
	await proxy.close();
	return 0;
}

function startError(error: unknown, port: number): CwlError {
	if (codeOf(error) === "EADDRINUSE")
		return new CwlError(
			"port-in-use",
			`port ${port} is in use: end the other program, or choose another one with --port.`,
		);
	return new CwlError("no-proxy", `the proxy cannot start: ${messageOf(error)}.`);
}

/** The known providers and those that the user adds. */
function readUpstreams(added: readonly string[]): Upstreams {
	const upstreams = new Map(defaultUpstreams);
	for (const text of added) {
		const [, name = "", address = ""] = /^([\w-]+)=(.+)$/.exec(text) ?? [];
		const url = URL.canParse(address) ? new URL(address) : undefined;
		if (url?.protocol !== "http:" && url?.protocol !== "https:") {
			throw new CwlError(
				"bad-upstream",
				`--upstream is ${JSON.stringify(text)}: use a name and an address, such as router=https://openrouter.ai/api.`,
			);
		}
		upstreams.set(name, url);
	}
	return upstreams;
}

function defaultFolder(): string {
	const state = process.env.XDG_STATE_HOME || join(homedir(), ".local", "state");
	return join(state, "cwl", "proxy");
}
