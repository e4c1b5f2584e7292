/** opencode: a plugin with the hook `experimental.chat.messages.transform`, which opencode calls before each request. */
import type { Hooks } from "@opencode-ai/plugin";
import { type ContextOptions, createManagedContext, type Host } from "../context/managed-context.ts";
import {
	callDraft,
	FRAMING,
	type ItemDraft,
	resultDraft,
	type TextReader,
	textDraft,
	type Unit,
} from "../context/reading.ts";

export { createFileStore } from "../context/file-store.ts";
export type { ContextOptions, PassStore, StoredPass } from "../context/managed-context.ts";

type Transform = NonNullable<Hooks["experimental.chat.messages.transform"]>;
type Message = Parameters<Transform>[1]["messages"][number];
type Part = Message["parts"][number];
type ToolPart = Extract<Part, { type: "tool" }>;

/** Tokens of a file that a user adds, such as an image. */
const FILE_TOKENS = 1_200;

/** Creates the hooks of a plugin. Sessions are those of opencode, by their id. Its database keeps all messages. */
export function createHooks(options: ContextOptions): Pick<Hooks, "experimental.chat.messages.transform"> {
	const context = createManagedContext(host, options);
	return {
		async "experimental.chat.messages.transform"(_input, output) {
			const session = output.messages[0]?.info.sessionID ?? "";
			const sent = await context.project(session, output.messages);
			// opencode sends the list that it handed over.
			output.messages.splice(0, output.messages.length, ...sent);
		},
	};
}

const host: Host<Message> = {
	read({ info, parts }, reader) {
		const units = info.role === "user" ? [readUser(parts, reader)] : readSteps(parts, reader);
		// The last answer may still grow, so that its id alone names it.
		return { identity: info.id, units };
	},
	edit({ info, parts }, { keeps, lines }) {
		const kept = parts.flatMap((part, index) => {
			if (!keeps(index)) return [];
			const text = lines.get(index);
			return text !== undefined && part.type === "tool" ? [withText(part, text)] : [part];
		});
		return { info, parts: kept };
	},
	note(text, { info }) {
		const { sessionID, time } = info;
		const id = `${info.id}-cwl`;
		const [agent, model] =
			info.role === "user"
				? [info.agent, info.model]
				: [info.mode, { providerID: info.providerID, modelID: info.modelID }];
		return {
			info: { id, sessionID, role: "user", time: { created: time.created }, agent, model },
			parts: [{ id: `${id}-text`, sessionID, messageID: id, type: "text", text, synthetic: true }],
		};
	},
};

function readUser(parts: readonly Part[], { countTokens }: TextReader): Unit {
	const tokens = parts.reduce((sum, part) => {
		if (part.type === "text") return sum + (part.ignored ? 0 : countTokens(part.text));
		return sum + (part.type === "file" ? FILE_TOKENS : 0);
	}, FRAMING);
	return { author: "user", items: [{ draft: { type: "user", tokens }, part: 0 }] };
}

/** An answer is one or more steps, each with its calls; a part for a call holds its result as well. */
function readSteps(parts: readonly Part[], reader: TextReader): readonly Unit[] {
	const steps: { part: number; block: Part }[][] = [[]];
	for (const [part, block] of parts.entries()) {
		if (block.type === "step-start") steps.push([]);
		else steps.at(-1)?.push({ part, block });
	}
	return steps.flatMap((step): readonly Unit[] => {
		const items = step.flatMap(({ part, block }) => {
			if (block.type === "text" || block.type === "reasoning") {
				return [{ draft: textDraft(block.type, block.text, reader), part }];
			}
			if (block.type !== "tool") return [];
			return [{ draft: callDraft(block.callID, block.tool, block.state.input, reader), part }];
		});
		if (items.length === 0) return [];
		const results = step.flatMap(({ part, block }): readonly Unit[] => {
			const draft = block.type === "tool" ? readResult(block, reader) : undefined;
			return draft ? [{ author: "tool", items: [{ draft, part }] }] : [];
		});
		return [{ author: "model", items }, ...results];
	});
}

function readResult({ callID, state }: ToolPart, reader: TextReader): ItemDraft | undefined {
	if (state.status === "error") return resultDraft(callID, state.error, true, reader);
	return state.status === "completed" ? resultDraft(callID, state.output, false, reader) : undefined;
}

function withText(part: ToolPart, text: string): ToolPart {
	const { state } = part;
	if (state.status === "completed") {
		return { ...part, state: { ...state, output: `${state.output}\n\n${text}` } };
	}
	if (state.status !== "error") return part;
	return { ...part, state: { ...state, error: `${state.error}\n\n${text}` } };
}
