/** The report of a session file: what `cwl report` and `/cwl report` have in common. */
import { dirname } from "node:path";
import { sum } from "#basics";
import { type AnsweredBy, CwlError, redact } from "#pi";
import { type Answer, isAnswer, loadTokenCounter, modelName } from "#pi/codec";
import { type OldSession, type PassSettings, passesIn, readLogEntries } from "#pi/session";
import { budgetTokens, loadSettings } from "#pi/settings";
import { loadModel, type PriceList, priceLists, toPriceList } from "../metrics/prices.ts";
import { readSession } from "../readers/registry.ts";
import { asOldSession } from "../recording/sent-requests.ts";
import type { ReportSettings } from "./costs.ts";
import { reportSession, type SessionReport } from "./session-report.ts";

interface ReportOptions {
	/** In tokens, and true for an automatic budget; what the session itself says when left out. */
	readonly budget?: ReportBudget | undefined;
	/** The id of the last entry of the branch; that of the file's last entry when left out. */
	readonly leaf?: string | undefined;
	readonly isRedacted: boolean;
}

/** The budget in tokens, and settings that the session goes by unless it says others itself. */
type ReportBudget = Pick<ReportSettings, "budget" | "isAuto"> & Partial<PassSettings>;

/**
 * The report of a session in any format that a replay reads.
 * @throws CwlError `bad-session` or `unknown-format` naming the file
 */
export async function makeReport(file: string, options: ReportOptions): Promise<SessionReport> {
	try {
		const report = await reportFile(file, options);
		return options.isRedacted ? redact(report) : report;
	} catch (error) {
		if (error instanceof CwlError) throw error;
		const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
		throw new CwlError("bad-session", `${file}: cannot be reported (${cause}); report it as a bug of cwl.`);
	}
}

async function reportFile(file: string, { budget, leaf }: ReportOptions): Promise<SessionReport> {
	const session = await readSession(file, undefined, leaf);
	const old = asOldSession({ ...session, cwd: session.cwd ?? dirname(file) });
	const prices = await pricesOfSession(old);
	const count = await loadTokenCounter();
	const compactedBranches: OldSession[] = [];
	for (const id of session.otherCompactions ?? [])
		compactedBranches.push(asOldSession(await readSession(file, undefined, id)));
	const branch = leaf === undefined ? "the branch of the last entry" : "the open branch";
	const settings = { ...settingsOf(old), ...budget, count, branch, ...prices };
	return reportSession({ ...old, compactedBranches }, settings);
}

/** The settings of the session; otherwise as its last pass was made, because flags of old runs are not recorded. */
function settingsOf({ branch, cwd }: OldSession): Required<ReportBudget> {
	const { passes, steering } = readLogEntries(branch);
	const { settings } = loadSettings({ cwd, environment: process.env, flags: {}, steering });
	const last = passesIn(passes).at(-1);
	const { lowWater, policy } = last?.settings ?? settings;
	const isAuto = settings.budget.type === "auto";
	const budget = budgetTokens(settings.budget, undefined, settings.attentionCap);
	const now = { budget, isAuto, lowWater, policy: steering.policy === undefined ? policy : settings.policy };
	if (!last || steering.budget !== undefined) return now;
	return { ...now, budget: last.reported?.budget ?? last.budget, isAuto: last.settings?.isAuto ?? isAuto };
}

/** The model whose prices are used where those of the session's model are unknown. */
const USUAL_MODEL = "anthropic/claude-sonnet-4-6";

/**
 * Each answer at the prices of its own model, or else of a usual one. Prices that nothing lists are those at which pi charged the model up
 * to then, so that no later answer changes what an earlier one cost.
 */
async function pricesOfSession({ messages, otherCalls = [] }: OldSession) {
	const answers = messages.filter(isAnswer);
	/** Their prices are all that is needed of them. */
	const others = otherCalls.flatMap(({ by, usage }) => (by ? [{ ...by, usage, api: "" }] : []));
	const calls = [...answers, ...others];
	const used = new Set(calls.map(modelName));
	const known = new Map<string, PriceList>();
	const charged = new Map<AnsweredBy, PriceList>();
	for (const name of used) {
		const listed = await listedPrices(name);
		if (listed) known.set(name, listed);
		const own = calls.filter((call) => modelName(call) === name);
		for (const [index, call] of listed ? [] : own.entries()) {
			const table = chargedPrices(own.slice(0, index + 1));
			const prices = table && toPriceList(name, table);
			if (prices) known.set(name, prices);
			if (prices) charged.set(call, prices);
		}
	}
	const usual = (await loadModel(USUAL_MODEL)).prices;
	const last = answers.at(-1);
	const pricesOf = (answer: AnsweredBy | undefined = last) =>
		(answer && (charged.get(answer) ?? known.get(modelName(answer)))) ?? usual;
	const unknown = [...used].filter((name) => !known.has(name)).join(" and ");
	const because = unknown === "" ? "" : `, because those of ${unknown} are unknown`;
	const listed = [...used].filter((name) => known.has(name));
	if (unknown !== "" || used.size === 0) listed.push(`${USUAL_MODEL}${because}`);
	return { pricesOf, unit: `dollars at the prices of ${listed.join(" and ")}` };
}

type PricedCall = Pick<Answer, "model" | "usage" | "api">;

async function listedPrices(name: string): Promise<PriceList | undefined> {
	try {
		return (await loadModel(name)).prices;
	} catch (error) {
		if (!(error instanceof CwlError)) throw error;
		return undefined;
	}
}

/** Tokens for which models are priced. */
const PRICED_TOKENS = 1_000_000;

/**
 * The prices at which pi charged the calls of a model, as its tables have them; undefined if the session does not show them. Nothing read
 * from the cache so far has the usual price.
 */
function chargedPrices(calls: readonly PricedCall[]) {
	const priceOf = (kind: "input" | "output" | "cacheRead" | "cacheWrite") => {
		const tokens = sum(calls, ({ usage }) => usage[kind]);
		const cost = sum(calls, ({ usage }) => usage.cost?.[kind] ?? 0);
		return tokens > 0 ? (PRICED_TOKENS * cost) / tokens : 0;
	};
	const cacheWrite = priceOf("cacheWrite");
	const input = priceOf("input") || cacheWrite;
	const cacheRead = priceOf("cacheRead") || priceLists.anthropic.read * input;
	const output = priceOf("output");
	const [first] = calls;
	const isKnown = input > 0 && output > 0;
	return isKnown && first
		? { id: first.model, api: first.api, cost: { input, output, cacheRead, cacheWrite } }
		: undefined;
}
