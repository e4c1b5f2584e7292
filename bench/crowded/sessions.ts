/** Sessions in which little can be evicted: what fills the budget is the user's, pinned, or already a line. */
import type { HostMessage } from "#pi";
import { assistantMessage } from "../assistant-message.ts";

type Answer = HostMessage & { readonly role: "assistant" };
type Block = Answer["content"][number];

export interface CrowdedSession {
	readonly name: string;
	readonly policy: "cwl" | "paper";
	/** Tokens. */
	readonly budget: number;
	/** Requests before this share of the messages are left out, because they are not what is measured. */
	readonly start: number;
	readonly messages: readonly HostMessage[];
	readonly pinned: ReadonlySet<string>;
}

/** The sessions of the bench; `scale` multiplies their lengths. */
export function crowdedSessions(scale: number): readonly CrowdedSession[] {
	const size = (count: number) => Math.max(1, Math.round(count * scale));
	const usual = { policy: "cwl", start: 0, pinned: new Set<string>() } as const;
	const many = size(10_000);
	return [
		{ ...usual, name: "short user turns", budget: 40_000, messages: shortTurns(size(6_000)) },
		{ ...usual, name: "pinned episodes", budget: 80_000, start: 0.98, ...pinnedEpisodes(many) },
		{ ...usual, name: "small episodes", budget: 20_000, messages: smallEpisodes(many) },
		{ ...usual, name: "small episodes", policy: "paper", budget: 20_000, messages: smallEpisodes(many) },
		{ ...usual, name: "one long description", budget: 12_000, messages: longDescription(size(400)) },
	];
}

/** User turns of some words; every second one has a call. */
function shortTurns(turns: number): readonly HostMessage[] {
	const list = createList();
	for (let turn = 0; turn < turns; turn += 1) {
		list.user(`And now do step ${turn} of the plan, please.`);
		if (turn % 2 === 0)
			list.use("bash", { command: `make step-${turn}` }, `step ${turn} done in ${turn % 7} s`);
		list.say(`Step ${turn} is done.`);
	}
	return list.messages;
}

function pinnedEpisodes(count: number): Pick<CrowdedSession, "messages" | "pinned"> {
	const messages = smallEpisodes(count);
	return { messages, pinned: new Set(Array.from({ length: count }, (_, index) => `step-${index}`)) };
}

/** Pairs of an expl and an act that depends on it, each with one call. */
function smallEpisodes(count: number): readonly HostMessage[] {
	const list = createList();
	list.user("Work through the plan.");
	for (let index = 0; index < count; index += 1) {
		const name = `step-${index}`;
		if (index % 2 === 0) {
			list.mark({ action: "start", name, type: "expl" });
			list.use("read", { path: `src/part-${index}.ts` }, lines(index, 12));
			list.mark({ action: "end", description: `part-${index} parses its input twice` });
		} else {
			list.mark({ action: "start", name, type: "act", dependencies: [`step-${index - 1}`] });
			list.use(
				"edit",
				{ path: `src/part-${index - 1}.ts`, edits: [{ oldText: "twice", newText: "once" }] },
				"ok",
			);
			list.mark({ action: "end" });
		}
	}
	return list.messages;
}

/** An expl that ends with 150 kB of description, then further work. */
function longDescription(exchanges: number): readonly HostMessage[] {
	const list = createList();
	list.user("Find out how it works, then go on.");
	for (let index = 0; index < exchanges; index += 1) {
		if (index % 50 === 0) {
			list.mark({ action: "start", name: `look-${index}`, type: "expl" });
			list.use("read", { path: "src/main.ts" }, lines(index, 40));
			list.mark({ action: "end", description: "It reads the whole file, then parses it. ".repeat(3_700) });
		}
		list.use("bash", { command: `make ${index}` }, lines(index, 20));
	}
	return list.messages;
}

function lines(seed: number, count: number): string {
	return Array.from(
		{ length: count },
		(_, line) => `export const value_${seed}_${line} = ${seed * line};`,
	).join("\n");
}

function createList() {
	const messages: HostMessage[] = [];
	let calls = 0;
	let time = 1_750_000_000_000;
	const add = (message: HostMessage) => {
		time += 1_000;
		messages.push({ ...message, timestamp: time });
	};
	const reply = (content: Block[]) => add(assistantMessage(content));
	const use = (name: string, args: Record<string, unknown>, output: string) => {
		calls += 1;
		const id = `call_${calls}`;
		reply([{ type: "toolCall", id, name, arguments: args }]);
		const content = [{ type: "text" as const, text: output }];
		add({ role: "toolResult", toolCallId: id, toolName: name, content, isError: false, timestamp: 0 });
	};
	return {
		messages,
		user: (content: string) => add({ role: "user", content, timestamp: 0 }),
		say: (text: string) => reply([{ type: "text", text }]),
		use,
		mark: (args: Record<string, unknown>) => use("delimiter", args, "ok"),
	};
}
