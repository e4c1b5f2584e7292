/** The system prompt: our text, then what the host loaded for this project (AGENTS.md, skills, appended text). */
import { readFileSync } from "node:fs";
import { DELIMITER } from "#core";
import type { FrameMark } from "./frames.ts";

/** Facts about the project that pi passes when a run starts; the fields that 0.73.1 and later hosts share. */
export interface PromptOptions {
	readonly cwd: string;
	/** The mark of the session; without one, as in a count, a placeholder. */
	readonly mark?: FrameMark;
	readonly customPrompt?: string | undefined;
	/** The tools that the model is offered; all where left out. */
	readonly selectedTools?: readonly string[] | undefined;
	readonly appendSystemPrompt?: string | undefined;
	readonly contextFiles?: readonly { readonly path: string; readonly content: string }[] | undefined;
	/** The host's own rendering of its skills, empty without any. */
	readonly skills?: string | undefined;
}

/** The placeholder of the mark in `prompts/system.md`; it has as many tokens as a mark. */
const MARK_PLACE = "000000";

let base: string | undefined;

/** Our part of the prompt, from `prompts/system.md`. */
export function basePrompt(): string {
	base ??= readFileSync(new URL("../../../prompts/system.md", import.meta.url), "utf8").trim();
	return base;
}

/** The part of our prompt that says how to mark work and what evicted episodes look like. */
export function episodeGuidance(): string {
	const [, how = "", rules = ""] = basePrompt().split("\n\n");
	return `${how}\n\n${rules}`;
}

/** The part of our prompt that a host's own prompt lacks: episodes, and the frames that carry the mark. */
export function assembleGuidance(mark: FrameMark = MARK_PLACE): string {
	const frames = basePrompt().split("\n").at(-1) ?? "";
	return `${episodeGuidance()}\n${frames.replace(MARK_PLACE, mark)}`;
}

/**
 * Assemble the prompt. A prompt that the user set (`--system-prompt`, SYSTEM.md) comes first and ours follows it;
 * nothing in it changes from turn to turn, so that the provider's cache keeps it.
 */
export function assemblePrompt(options: PromptOptions): string {
	const parts: (string | undefined)[] = [assemblePreamble(options), options.appendSystemPrompt];
	const files = options.contextFiles ?? [];
	if (files.length > 0) {
		const sections = files.map(({ path, content }) => `## ${path}\n\n${content.trim()}`);
		parts.push(`# Project instructions\n\n${sections.join("\n\n")}`);
	}
	parts.push(options.skills?.trim(), `Working directory: ${options.cwd.replaceAll("\\", "/")}`);
	return parts.filter((part) => part !== undefined && part !== "").join("\n\n");
}

/** The prompt of a session whose model is not offered the delimiter tool: of episodes, only what a line for an evicted one is. */
function withoutMarks(prompt: string): string {
	const [role = "", how = "", rules = "", ...rest] = prompt.split("\n\n");
	return [role, how.replace(/ Mark work .*/, ""), rules.split("\n").at(-1), ...rest].join("\n\n");
}

/**
 * The part of the prompt that replaces the host's own text. pi from 0.87 on adds the other parts itself, as
 * sections that it can change inside the conversation without a change in front of it.
 */
export function assemblePreamble(options: Omit<PromptOptions, "cwd">): string {
	const { customPrompt, selectedTools, mark = MARK_PLACE } = options;
	const canMark = selectedTools?.includes(DELIMITER) ?? true;
	const ours = (canMark ? basePrompt() : withoutMarks(basePrompt())).replace(MARK_PLACE, mark);
	return customPrompt ? `${customPrompt}\n\n${ours}` : ours;
}
