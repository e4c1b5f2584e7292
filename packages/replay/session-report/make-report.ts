/** The report of a session file: what `cwl report` and `/cwl report` have in common. */
import { dirname } from "node:path";
import { CwlError, redact } from "#pi";
import { isAnswer, loadTokenCounter } from "#pi/codec";
import { modelName } from "#pi/requests";
import {
	type OldSession,
	type PassSettings,
	readLogEntries,
	readOldSession,
	type SessionParser,
} from "#pi/session";
import { budgetTokens, loadSettings } from "#pi/settings";
import { loadModel, type PriceList, toPriceList } from "../metrics/prices.ts";
import { readSession } from "../readers/registry.ts";
import type { ReportSettings } from "./costs.ts";
import { reportSession, type SessionReport } from "./session-report.ts";

export interface ReportOptions {
	/** In tokens, and true for an automatic budget; what the session itself says when left out. */
	readonly budget?: ReportBudget | undefined;
	/** The model in use, whose prices hold; the one that answered last when left out. */
	readonly model?: (Parameters<typeof toPriceList>[1] & { readonly provider: string }) | undefined;
	readonly isRedacted: boolean;
}

/** The budget in tokens, and settings that the session goes by unless it says others itself. */
type ReportBudget = Pick<ReportSettings, "budget" | "isAuto"> & Partial<PassSettings>;

/**
 * The report of a session in any format that a replay reads.
 * @throws CwlError `bad-session` or `unknown-format` naming the file
 */
export async function makeReport(
	file: string,
	parser: SessionParser,
	{ budget, model, isRedacted }: ReportOptions,
): Promise<SessionReport> {
	const old = withUsage(await readAnySession(file, parser));
	const prices = await findPrices(old, model);
	const count = await loadTokenCounter();
	const report = reportSession(old, { ...settingsOf(old), ...budget, count, ...prices });
	return isRedacted ? redact(report) : report;
}

/** Entries of ours stand only in pi's own files; of other agents' sessions there are the messages and the compactions. */
async function readAnySession(file: string, parser: SessionParser): Promise<OldSession> {
	const { format, name: id, messages, summaries = [] } = await readSession(file);
	if (format === "pi") return readOldSession(file, parser);
	const compactions = summaries.map(({ text: summary, position }) => {
		return { position, firstKept: position, summary };
	});
	const branch = messages.map((message) => ({ type: "message", message }));
	return { id, cwd: dirname(file), branch, messages, compactions };
}

/** pi always writes usage; what others wrote in its format may hold none. */
function withUsage(old: OldSession): OldSession {
	const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
	const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost };
	const messages = old.messages.map((message) =>
		message.role === "assistant" ? { ...message, usage: { ...none, ...message.usage } } : message,
	);
	return { ...old, messages };
}

/** The settings of the session; otherwise as its last pass was made, because flags of old runs are not recorded. */
function settingsOf({ branch, cwd }: OldSession): Required<ReportBudget> {
	const { passes, steering } = readLogEntries(branch);
	const { settings } = loadSettings({ cwd, environment: process.env, flags: {}, steering });
	const last = passes.at(-1);
	const { lowWater, policy } = last?.settings ?? settings;
	const isAuto = settings.budget.type === "auto";
	const budget = budgetTokens(settings.budget, undefined, settings.attentionCap);
	const now = { budget, isAuto, lowWater, policy: steering.policy === undefined ? policy : settings.policy };
	if (!last || steering.budget !== undefined) return now;
	return { ...now, budget: last.reportedBudget ?? last.budget, isAuto: last.settings?.isAuto ?? isAuto };
}

/** The model whose prices stand in where nobody knows those of the session's. */
const USUAL_MODEL = "anthropic/claude-sonnet-4-6";

/** Dollars at the prices of the session's model, or else of a usual one. */
async function findPrices({ messages }: OldSession, model: ReportOptions["model"]) {
	const named = model ? { provider: model.provider, model: model.id } : messages.findLast(isAnswer);
	const name = named ? modelName(named.provider, named.model) : USUAL_MODEL;
	const priced = (prices: PriceList, of: string) => ({ prices, unit: `dollars at the prices of ${of}` });
	try {
		return priced(model ? toPriceList(name, model) : (await loadModel(name)).prices, name);
	} catch (error) {
		if (!(error instanceof CwlError)) throw error;
	}
	return priced((await loadModel(USUAL_MODEL)).prices, USUAL_MODEL);
}
