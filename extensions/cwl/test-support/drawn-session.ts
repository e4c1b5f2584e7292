/** A session that a seed draws: its settings, and steps of a user in the real pi. */

import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fieldsOf, recordsOf, seededRandom, textOf } from "#basics";
import type { StateReport } from "#pi/health";
import { LOOPBACK_PROVIDER } from "#testing/pi-driver";
import type { Fault } from "#testing/server";
import { keepsSystemMessages, PROJECT, until } from "./trial.ts";
import { startWorkTrial } from "./work-trial.ts";

export type Step = (typeof STEPS)[number];

/** Work comes most often. */
const STEPS = [
	"work",
	"work",
	"work",
	"thank",
	"thank",
	"talk",
	"off",
	"on",
	"undo",
	"evict all",
	"evict",
	"pin",
	"recall",
	"compact",
	"move",
	"model",
	"model",
	"stop",
	"fail",
	"resume",
] as const;

/** Tokens of a long message. */
export const TALK = 1_200;

/** Until the beginning of an answer has arrived, in ms. */
const STREAMED = 300;

/** Tells of a session that is too small for a compaction. */
const TOO_SMALL = /Nothing to compact|Already compacted/;

export async function startDrawnSession(seed: number) {
	const random = seededRandom(seed);
	const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
	const isMarked = random() < 0.7;
	const thinking = random() < 0.6 ? "medium" : "off";
	const budget = pick(["24k", "40k", "auto"]) ?? "auto";
	/** Of the next request. */
	let fault: Fault | undefined;
	const trial = await startWorkTrial(seed, 20, {
		api: "anthropic",
		fault() {
			const found = fault;
			fault = undefined;
			return found;
		},
		models: ["claude-sonnet-4-5", "claude-opus-4-5", "claude-opus-5-5"],
		settings: { compaction: { keepRecentTokens: 6_000 }, retry: { enabled: false } },
		addsThinking: random() < 0.5,
		read: (request) => {
			const tools = request.tools.filter(({ name }) => isMarked || name !== "delimiter");
			return { ...request, tools };
		},
	});
	// Older versions of pi do not know how the newest model thinks.
	const isNewestUsed = thinking === "off" || keepsSystemMessages;
	const models = ["claude-sonnet-4-5", "claude-opus-4-5", ...(isNewestUsed ? ["claude-opus-5-5"] : [])];
	const commands = join(PROJECT, "extensions/cwl/test-support/session-commands.ts");
	const environment = { CWL_BUDGET: budget };
	const args = ["--thinking", thinking, "-e", commands];
	let pi = trial.rpc({ args, environment });
	let tasks = 0;
	const useModel = () => pi.send({ type: "set_model", provider: LOOPBACK_PROVIDER, modelId: pick(models) });
	await useModel();

	/** Returns what a command answered. */
	async function take(step: Step, state: StateReport | undefined): Promise<string> {
		const name = pick(state?.episodes ?? [])?.name ?? "none";
		switch (step) {
			case "work":
				await pi.prompt(trial.prompts[tasks] ?? "thank you");
				tasks += 1;
				return "";
			case "thank":
				await pi.prompt("thank you");
				return "";
			case "talk":
				await pi.prompt("please ".repeat(TALK));
				return "";
			case "stop": {
				fault = { type: "stall" };
				const sent = trial.requests.length;
				const stopped = pi.prompt("thank you");
				await until(() => trial.requests.length > sent);
				await setTimeout(STREAMED);
				await Promise.all([pi.send({ type: "abort" }), stopped]);
				return "";
			}
			case "fail":
				fault = { type: "status", status: 500 };
				await pi.prompt("thank you");
				return "";
			case "compact":
				await pi.send({ type: "compact" }).catch((error: unknown) => {
					if (!TOO_SMALL.test(String(error))) throw error;
				});
				return "";
			case "model":
				await useModel();
				return "";
			case "move": {
				const { data } = await pi.send({ type: "get_fork_messages" });
				const entry = pick(recordsOf(fieldsOf(data).messages).slice(1));
				if (entry) await pi.command(`/goto ${textOf(entry.entryId)}`);
				return "";
			}
			case "resume":
				await pi.kill();
				pi = trial.rpc({ args: [...args, "-c"], environment });
				return "";
			case "evict all":
				return pi.answer("/cwl evict");
			case "evict":
			case "pin":
			case "recall":
				return pi.answer(`/cwl ${step} ${name}`);
			default:
				return pi.answer(`/cwl ${step}`);
		}
	}
	return {
		trial,
		/** The process of now. */
		pi: () => pi,
		/** Runs the shell's `cwl` with the settings of the session. */
		run: (words: readonly string[]) => trial.run(words, { environment }),
		draw: (): Step => pick(STEPS) ?? "work",
		take,
	};
}
