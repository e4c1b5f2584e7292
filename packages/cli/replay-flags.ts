/** The arguments of `cwl replay`, each checked once. */

import { join } from "node:path";
import { CwlError, packageDirectory } from "#pi";
import { parseBudget } from "#pi/settings";
import type { ReplaySettings } from "#replay/run";
import { readCommand, readNumber } from "./command-line.ts";

const help = `cwl replay [PATH...]: replays recorded sessions under eviction policies and compares them in tokens and dollars

  PATH                     sessions of pi, Claude Code, Codex, Gemini CLI, Qwen Code, OpenCode, SWE-agent,
                           mini-swe-agent, OpenHands or Harbor (ATIF): files or folders; without a PATH, those on this machine are listed
  --all                    in place of a PATH: all sessions of these agents on this machine
  --sample                 in place of a PATH: a short session of the demo that comes with cwl, under its budget of 24k
  --policy none,paper,cwl  policies to compare: all, names, NAME:KNOB=VALUE, or files of your own; pi's compaction is one
  --budget auto            auto, the default: what the extension would choose, for the model of --as if given; or tokens
  --what-if 50k,80k,120k   the default policy with budget auto and each of these, or the policies of --policy, and which
                           setting suits these sessions
  --model provider/id      what it costs in dollars, by pi's model table; may be given several times
  --as provider/id         replay as if the sessions had run on that model: its prices and its thinking check
  --jobs 2                 threads; as many as there are processors when left out and there is much to do
  --json                   figures as JSON, documented in docs/replay.md
  --html FILE              also write a page with tables and charts
  --requests DIR           write every projected request to DIR/SESSION.POLICY.jsonl

Ctrl-C ends the run and prints what is done so far; once more ends it at once.
`;

const flags = {
	all: { type: "boolean", default: false },
	sample: { type: "boolean", default: false },
	policy: { type: "string" },
	budget: { type: "string" },
	"what-if": { type: "string" },
	model: { type: "string", multiple: true },
	as: { type: "string" },
	jobs: { type: "string" },
	json: { type: "boolean", default: false },
	html: { type: "string" },
	requests: { type: "string" },
} as const;

/** Compaction is what a user of pi has without cwl: the comparison that a verdict is about. */
const DEFAULT_POLICIES = "none,compaction,paper,cwl";
/** The default policy in its three settings, cheapest first. */
const WHAT_IF_POLICIES = "cwl-economy,cwl,cwl-quality";
/** The extension's own default, so that a verdict is about what a user would get. */
const DEFAULT_BUDGET = "auto";
/** The budget that the sample was recorded with. */
const SAMPLE_BUDGET = "24k";
const MAX_JOBS = 64;

/** Undefined after `--help`, when the usage was printed. @throws CwlError for a value that is not allowed */
export function readFlags(argv: readonly string[]) {
	const read = readCommand(argv, help, flags, true);
	if (!read) return undefined;
	const { values, positionals } = read;
	if (values.all && positionals.length > 0) {
		throw new CwlError(
			"bad-all",
			"--all stands for the sessions of this machine: leave it out, or the paths.",
		);
	}
	if (values.sample && (values.all || positionals.length > 0)) {
		throw new CwlError(
			"bad-sample",
			"--sample is a session of its own: leave it out, or the paths and --all.",
		);
	}
	const { requests, as, model = [] } = values;
	const settings: ReplaySettings = {
		...readComparison(values),
		models: [...new Set([...(as === undefined ? [] : [as]), ...model])],
		as,
		requests,
		withContexts: values.html !== undefined,
	};
	return {
		/** Empty for the sessions of this machine; with `all`, all of them without asking. */
		paths: values.sample ? [join(packageDirectory(), "docs", "sample.jsonl")] : positionals,
		all: values.all,
		settings,
		html: values.html,
		/** Threads; undefined leaves it to the number of sessions. */
		jobs: values.jobs === undefined ? undefined : readNumber("bad-jobs", "--jobs", values.jobs, 1, MAX_JOBS),
		asJson: values.json,
	};
}

type Values = Partial<Readonly<Record<"policy" | "budget" | "what-if", string>>>;

function readComparison(
	values: Values & { readonly sample: boolean },
): Pick<ReplaySettings, "policies" | "budgets" | "isSweep"> {
	const { policy, budget, sample, "what-if": sweep } = values;
	if (sweep === undefined) {
		const text = budget ?? (sample ? SAMPLE_BUDGET : DEFAULT_BUDGET);
		const budgets = parseBudget(text).type === "auto" ? [] : [readTokens("budget", text)];
		return { policies: policy ?? DEFAULT_POLICIES, budgets, isSweep: false };
	}
	if (budget !== undefined) {
		throw new CwlError("bad-sweep", "--what-if names the budgets: leave out --budget.");
	}
	const budgets = sweep.split(",").map((text) => readTokens("what-if", text.trim()));
	return { policies: policy ?? WHAT_IF_POLICIES, budgets: [...new Set(budgets)], isSweep: true };
}

function readTokens(flag: string, text: string): number {
	const budget = parseBudget(text);
	if (budget.type === "tokens") return budget.tokens;
	throw new CwlError(
		"bad-budget",
		`--${flag} is ${JSON.stringify(text)}: a recording has no model whose window it could be a share of; give tokens (80k).`,
	);
}
