/** The model of a live run: found in the pi of the user with its key and price, and offered to each arm. */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fieldsOf, objectsOf, stringOf } from "#loopback";
import { startPiProcess } from "#loopback/pi-driver";
import { CwlError } from "#pi";
import { suggestName } from "#pi/screen";
import { NODE, PROGRAM } from "../pi-host.ts";
import type { Condition } from "../single-session/conditions.ts";
import { compactionOf } from "./pi-agent.ts";

export interface LiveModel {
	/** `provider/id`, with `:level` of thinking if one was given. */
	readonly name: string;
	readonly provider: string;
	readonly id: string;
	/** The folder of the user's pi, which has its key. */
	readonly userDirectory: string;
	/** Dollars per million tokens. */
	readonly price: { readonly input: number; readonly output: number };
}

/** Flags that keep the settings of one machine out of the experiment. */
export const BARE = [
	"--no-extensions",
	"--no-skills",
	"--no-prompt-templates",
	"--no-context-files",
] as const;

/**
 * The model as the user's pi knows it. Asks pi, and no provider.
 * @throws CwlError `no-key`, `unknown-model`, or `no-price` for a model whose cost nobody could limit
 */
export async function findModel(name: string, userDirectory: string): Promise<LiveModel> {
	const [, provider = "", id = ""] = /^([^/]+)\/(.+?)(?::\w+)?$/.exec(name) ?? [];
	if (id === "") throw new CwlError("bad-flag", `--model is ${JSON.stringify(name)}: use provider/id.`);
	const environment = { ...process.env, PI_CODING_AGENT_DIR: userDirectory, PI_OFFLINE: "1" };
	const command = [NODE, PROGRAM, "--no-session", ...BARE] as const;
	const pi = startPiProcess({ command: [...command], cwd: tmpdir(), environment });
	const { data } = await pi.send({ type: "get_available_models" }).finally(() => pi.close());
	const known = objectsOf(fieldsOf(data).models).filter((model) => model.provider === provider);
	if (known.length === 0) {
		throw new CwlError(
			"no-key",
			`pi has no key for ${provider}; nothing was run or spent. Set its key in the environment (such as ANTHROPIC_API_KEY) or run \`npm start\` and /login; --rehearse runs the same protocol without a key.`,
		);
	}
	const model = known.find((each) => each.id === id);
	if (!model) {
		const hint = suggestName(
			id,
			known.map((each) => stringOf(each.id)),
		);
		throw new CwlError("unknown-model", `pi knows no model ${id} of ${provider}.${hint}`);
	}
	const { input, output, cacheWrite } = fieldsOf(model.cost);
	const price = { input: Number(cacheWrite) || Number(input), output: Number(output) };
	if (!(price.input > 0 && price.output > 0))
		throw new CwlError("no-price", `pi has no price for ${name}, so that --max-cost could not stop the run.`);
	return { name, provider, id, userDirectory, price };
}

/** Makes pi's folder for one arm: keys and models of the user, and a compaction that works at the budget. */
export async function writeArmDirectory(
	directory: string,
	{ provider: name, id, userDirectory }: LiveModel,
	condition: Condition,
): Promise<void> {
	await rm(directory, { recursive: true, force: true });
	await mkdir(directory, { recursive: true });
	const { contextWindow, compaction } = compactionOf(condition);
	const settings = await readFields(join(userDirectory, "settings.json"));
	await writeFile(join(directory, "settings.json"), JSON.stringify({ ...settings, compaction }));
	// A login that pi renews goes back to where it came from.
	const login = join(userDirectory, "auth.json");
	if (existsSync(login)) await symlink(login, join(directory, "auth.json"));
	const file = await readFields(join(userDirectory, "models.json"));
	const providers = fieldsOf(file.providers);
	const provider = fieldsOf(providers[name]);
	const change = contextWindow === undefined ? {} : { contextWindow };
	const models = objectsOf(provider.models).map((model) =>
		model.id === id ? { ...model, ...change } : model,
	);
	const overrides = fieldsOf(provider.modelOverrides);
	const changed = {
		...{ ...provider, ...(models.length > 0 && { models }) },
		modelOverrides: { ...overrides, [id]: { ...fieldsOf(overrides[id]), ...change } },
	};
	const written = { ...file, providers: { ...providers, [name]: changed } };
	await writeFile(join(directory, "models.json"), JSON.stringify(written));
}

/** Empty where there is no file. @throws CwlError `bad-json` naming the file */
async function readFields(path: string): Promise<Readonly<Record<string, unknown>>> {
	const text = await readFile(path, "utf8").catch(() => "{}");
	try {
		return fieldsOf(JSON.parse(text));
	} catch {
		throw new CwlError("bad-json", `${path} is no plain JSON: take the comments out of it.`);
	}
}
