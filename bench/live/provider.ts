/** The model of a live run: found in the pi of the user with its key and price, or the scripted worker for a rehearsal. */

import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fieldsOf, recordsOf, sum, textOf } from "#basics";
import { CwlError } from "#pi";
import { suggestName } from "#pi/screen";
import { requestSeconds } from "#replay/metrics";
import type { ScriptedModel } from "#testing";
import { LIST_PRICES, LOOPBACK_PROVIDER, startPiProcess, writeAgentDirectory } from "#testing/pi-driver";
import { type RequestRecord, startLoopback } from "#testing/server";
import { NODE, PROGRAM } from "../pi-host.ts";
import { withForeignRecall } from "./foreign-recall.ts";

export type LiveModel = Awaited<ReturnType<typeof findModel>>;

/** Flags that keep the settings of one machine out of the experiment. */
export const BARE = [
	"--no-extensions",
	"--no-skills",
	"--no-prompt-templates",
	"--no-context-files",
] as const;

/**
 * The model `name`, which is `provider/id`, with `:level` of thinking if one was given, as the user's pi knows it; `userDirectory` is the
 * folder of that pi, which has its key. Asks pi, and no provider.
 * @throws CwlError `no-key`, `unknown-model`, or `no-price` for a model whose cost nobody could limit
 */
export async function findModel(name: string, userDirectory: string) {
	const [, provider = "", id = ""] = /^([^/]+)\/(.+?)(?::\w+)?$/.exec(name) ?? [];
	if (id === "") throw new CwlError("bad-flag", `--model is ${JSON.stringify(name)}: use provider/id.`);
	const environment = { ...process.env, PI_CODING_AGENT_DIR: userDirectory, PI_OFFLINE: "1" };
	const pi = startPiProcess({
		command: [NODE, PROGRAM, "--no-session", ...BARE],
		cwd: tmpdir(),
		environment,
	});
	const { data } = await pi.send({ type: "get_available_models" }).finally(() => pi.close());
	const known = recordsOf(fieldsOf(data).models).filter((model) => model.provider === provider);
	if (known.length === 0) {
		throw new CwlError(
			"no-key",
			`pi has no key for ${provider}; nothing was run or spent. Set its key in the environment (such as ANTHROPIC_API_KEY) or run \`npm start\` and /login; --rehearse runs the same protocol without a key.`,
		);
	}
	const model = known.find((each) => each.id === id);
	if (!model) {
		const ids = known.map((each) => textOf(each.id));
		throw new CwlError("unknown-model", `pi knows no model ${id} of ${provider}.${suggestName(id, ids)}`);
	}
	const { input, output, cacheWrite, cacheRead } = fieldsOf(model.cost);
	/** Dollars per million tokens: new input, input from the cache, output. */
	const price = {
		input: Number(cacheWrite) || Number(input),
		read: Number(cacheRead) || Number(input),
		output: Number(output),
	};
	if (!(price.input > 0 && price.output > 0))
		throw new CwlError("no-price", `pi has no price for ${name}, so that --max-cost could not stop the run.`);
	return { name, provider, id, userDirectory, price, address: textOf(model.baseUrl) };
}

/** Empty where there is no file. @throws CwlError `bad-json` naming the file */
export async function readFields(path: string): Promise<Readonly<Record<string, unknown>>> {
	const text = await readFile(path, "utf8").catch(() => "{}");
	try {
		return fieldsOf(JSON.parse(text));
	} catch {
		throw new CwlError("bad-json", `${path} is no plain JSON: take the comments out of it.`);
	}
}

/** Tokens; no arm outgrows it. */
const CONTEXT_WINDOW = 1_000_000;

/**
 * Starts a provider on this machine: the worker behind a strict server with a cache whose entries do not expire, and a configuration
 * directory of pi for it.
 */
export async function startRehearsal(directory: string, worker: ScriptedModel) {
	const model: ScriptedModel = (request) => withForeignRecall(worker, request);
	const server = await startLoopback({ model, now: () => 0, contextWindow: CONTEXT_WINDOW });
	await writeAgentDirectory(directory, { url: server.url, contextWindow: CONTEXT_WINDOW });
	return {
		name: `${LOOPBACK_PROVIDER}/anthropic`,
		close: () => server.close(),
		/** Dollars of everything that was asked of the server, summaries and a peer's own calls included, and how many requests. */
		bill: () => billOf(server.records()),
	};
}

export type Bill = ReturnType<typeof billOf>;

function billOf(records: readonly RequestRecord[]) {
	const answered = records.filter(({ refused }) => !refused);
	const { input, output, cacheRead, cacheWrite } = LIST_PRICES.anthropic;
	const costs = answered.map(({ promptTokens, cachedTokens, writtenTokens, outputTokens }) => {
		const fresh = (promptTokens - cachedTokens - writtenTokens) * input;
		return (fresh + cachedTokens * cacheRead + writtenTokens * cacheWrite + outputTokens * output) / 1e6;
	});
	const seconds = answered.map(({ promptTokens, cachedTokens, outputTokens }) =>
		requestSeconds({ input: promptTokens, cached: cachedTokens, output: outputTokens }),
	);
	return {
		cost: sum(costs),
		/** Modeled, as in every table of tasks. */
		minutes: sum(seconds) / 60,
		requests: records.length,
		refused: records.length - answered.length,
		largest: Math.max(0, ...answered.map(({ promptTokens }) => promptTokens)),
	};
}
