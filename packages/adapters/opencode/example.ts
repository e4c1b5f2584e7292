import { join } from "node:path";
import type { Plugin } from "@opencode-ai/plugin";
import { createFileStore, createHooks } from "#adapters/opencode";

/** Keeps the requests of all sessions below 60,000 tokens. Its passes are in `.cwl` in the project's folder. */
export const ContextWindowLifecycle: Plugin = async ({ directory }, { budget = 60_000 } = {}) =>
	createHooks({
		budget: Number(budget),
		countTokens: (text) => Math.ceil(text.length / 4),
		tools: {
			bash: { effect: "command", output: "intermediate" },
			read: { effect: "reads", output: "intermediate" },
			grep: { effect: "reads", output: "bulk" },
			edit: { effect: "writes", output: "record" },
			write: { effect: "writes", output: "record" },
		},
		store: createFileStore(join(directory, ".cwl")),
	});
