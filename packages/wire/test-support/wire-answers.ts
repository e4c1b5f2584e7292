/**
 * An answer of a recorded session in the form of each API, with ids that say where they came from. Its thinking is signed for the request
 * that the provider saw, so that the check of preserved thinking judges the proxy's edits.
 */
import { itemId, reasoningId } from "#testing";
import { sealAnswer } from "#testing/thinking";
import type { Block, Fields } from "./recorded-words.ts";

export type WireApi = "anthropic" | "responses" | "completions";

export function isReasoned(blocks: readonly Block[]): boolean {
	return blocks.some(({ type }) => type === "thinking");
}

interface Composed {
	readonly response: string;
	readonly blocks: readonly Block[];
	readonly calls: readonly string[];
	/** The query of a search by the provider, which stands behind the first thinking. */
	readonly search: string | undefined;
}

/** The entries of an answer; `sent` is the body that the provider saw before it. */
export const composers: Readonly<Record<WireApi, (answer: Composed, sent: Fields) => readonly Fields[]>> = {
	anthropic({ blocks, calls, search }, sent) {
		const ids = calls.values();
		const content = blocks.map((block): Fields => {
			if (block.type === "text") return { type: "text", text: block.text };
			if (block.type === "thinking") return { type: "thinking", thinking: block.thinking, signature: "" };
			return { type: "tool_use", id: ids.next().value, name: block.name, input: block.arguments };
		});
		const first = blocks[0]?.type === "thinking" ? 1 : 0;
		content.splice(first, 0, ...(search === undefined ? [] : searchBlocks(search)));
		return [{ role: "assistant", content: sealAnswer("anthropic", sent, content) }];
	},

	completions({ blocks, calls }) {
		const ids = calls.values();
		const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
		const tools = blocks.flatMap((block) => {
			if (block.type !== "toolCall") return [];
			const called = { name: block.name, arguments: JSON.stringify(block.arguments) };
			return [{ id: ids.next().value, type: "function", function: called }];
		});
		const content = text === "" ? null : text;
		return [{ role: "assistant", content, ...(tools.length > 0 && { tool_calls: tools }) }];
	},

	responses({ response, blocks, calls, search }, sent) {
		const ids = calls.values();
		const reasoned = isReasoned(blocks);
		const summary = blocks.flatMap((block) =>
			block.type === "thinking" ? [{ type: "summary_text", text: block.thinking }] : [],
		);
		const reasoning = { id: reasoningId(response), type: "reasoning", summary, encrypted_content: "" };
		const items = blocks.flatMap((block, index): readonly Fields[] => {
			if (block.type === "thinking") return [];
			if (block.type === "text") {
				const id = itemId("msg", response, reasoned, index);
				const content = [{ type: "output_text", text: block.text, annotations: [] }];
				return [{ id, type: "message", role: "assistant", content }];
			}
			const id = itemId("fc", response, reasoned, index);
			const called = { name: block.name, arguments: JSON.stringify(block.arguments) };
			return [{ id, type: "function_call", call_id: ids.next().value, ...called }];
		});
		const searched = {
			id: itemId("ws", response, reasoned, 99),
			type: "web_search_call",
			status: "completed",
			action: { type: "search", query: search },
		};
		const made = search === undefined ? items : [searched, ...items];
		return sealAnswer("responses", sent, [...(reasoned ? [reasoning] : []), ...made]);
	},
};

/** A web search of Anthropic's with its result, whose content is sealed. */
function searchBlocks(query: string): readonly Fields[] {
	const id = `srvtoolu_${query.replace(" ", "_")}`;
	const found = {
		type: "web_search_result",
		url: "https://example.com/",
		title: query,
		encrypted_content: "x".repeat(2_000),
	};
	return [
		{ type: "server_tool_use", id, name: "web_search", input: { query } },
		{ type: "web_search_tool_result", tool_use_id: id, content: [found] },
	];
}
