/** The arguments of `cwl replay`, each checked once. */
import { parseArgs } from "node:util";
import { type Annotation, annotations } from "../../bench/annotation.ts";
import { type Arm, armsUnder } from "../../bench/arm.ts";
import { type Chaining, chainings } from "../../bench/chain.ts";
import { loadPolicies } from "../../bench/policies/own-policies.ts";
import type { RequestForm } from "../../bench/request-file.ts";
import { whatIfArms } from "../../bench/what-if.ts";
import { parseBudget } from "../host/budget.ts";
import { CwlError } from "../host/errors.ts";

export const help = `cwl replay PATH...: recorded sessions through the engine, as figures in tokens and in money

  PATH                     session files (*.jsonl), or folders of them
  --policy none,paper,cwl  eviction policies to compare: all, names, NAME:KNOB=VALUE, or files of your own
  --budget 80k             tokens
  --what-if 50k,80k,120k   the default policy under each of these budgets, and which one suits these sessions
  --model provider/id      what it costs in dollars, by pi's model table; may be given several times
  --annotate recorded      where episodes come from: recorded, inferred, turns or none
  --chain folder           join the sessions of each folder into one long session; or all
  --json                   figures as JSON, documented in bench/README.md
  --requests DIR           write every projected request to DIR/SESSION.POLICY.jsonl
  --requests-form full     or delta: only what differs from the request before

Ctrl-C ends the run and prints what is done so far; once more ends it at once.
`;

const flags = {
	policy: { type: "string" },
	budget: { type: "string" },
	"what-if": { type: "string" },
	model: { type: "string", multiple: true },
	annotate: { type: "string", default: "recorded" },
	chain: { type: "string" },
	json: { type: "boolean", default: false },
	requests: { type: "string" },
	"requests-form": { type: "string", default: "full" },
	help: { type: "boolean", short: "h", default: false },
} as const;

export interface ReplayFlags {
	readonly paths: readonly string[];
	readonly arms: readonly Arm[];
	/** Tokens beyond which a session is under pressure. */
	readonly pressure: number;
	readonly isSweep: boolean;
	readonly models: readonly string[];
	readonly annotation: Annotation;
	readonly chaining: Chaining | undefined;
	readonly isJson: boolean;
	readonly requests: { readonly folder: string; readonly form: RequestForm } | undefined;
}

const DEFAULT_POLICIES = "none,paper,cwl";
const DEFAULT_BUDGET = "80k";

/** Undefined when only the help was asked for. @throws CwlError for a value that is not allowed */
export async function readFlags(argv: readonly string[]): Promise<ReplayFlags | undefined> {
	const { values, positionals } = parseArgs({ args: [...argv], options: flags, allowPositionals: true });
	if (values.help) return undefined;
	if (positionals.length === 0) {
		throw new CwlError("no-path", "replay needs session files or folders: cwl replay ~/.pi/agent/sessions");
	}
	const { policy, budget, "what-if": sweep, chain, requests: folder } = values;
	const form = oneOf("requests-form", values["requests-form"], ["full", "delta"]);
	return {
		paths: positionals,
		...(sweep === undefined ? await readArms(policy, budget) : readSweep(sweep, policy, budget)),
		models: values.model ?? [],
		annotation: oneOf("annotate", values.annotate, annotations),
		chaining: chain === undefined ? undefined : oneOf("chain", chain, chainings),
		isJson: values.json,
		requests: folder === undefined ? undefined : { folder, form },
	};
}

type Comparison = Pick<ReplayFlags, "arms" | "pressure" | "isSweep">;

async function readArms(policies = DEFAULT_POLICIES, budget = DEFAULT_BUDGET): Promise<Comparison> {
	const pressure = readTokens("budget", budget);
	return { arms: armsUnder(pressure, await loadPolicies(policies)), pressure, isSweep: false };
}

function readSweep(list: string, policy: string | undefined, budget: string | undefined): Comparison {
	if (policy !== undefined || budget !== undefined) {
		throw new CwlError(
			"bad-sweep",
			"--what-if names budgets and runs its own policies: leave out --policy and --budget.",
		);
	}
	const budgets = [...new Set(list.split(",").map((text) => readTokens("what-if", text.trim())))];
	return { arms: whatIfArms(budgets), pressure: Math.min(...budgets), isSweep: true };
}

function readTokens(flag: string, text: string): number {
	const budget = parseBudget(text);
	if (budget.type === "tokens") return budget.tokens;
	throw new CwlError(
		"bad-budget",
		`${flag} is ${JSON.stringify(text)}: a recording has no model whose window it could be a share of; give tokens (80k).`,
	);
}

function oneOf<Value extends string>(flag: string, text: string, allowed: readonly Value[]): Value {
	const value = allowed.find((candidate) => candidate === text);
	if (value !== undefined) return value;
	throw new CwlError(`bad-${flag}`, `${flag} is ${JSON.stringify(text)}: use ${allowed.join(", ")}.`);
}
