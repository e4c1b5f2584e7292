/** A session as a script that every host can run: what the user asks, what the model answers, what the tools return. */
import { seededRandom } from "#core";

export interface ScriptedCall {
	readonly id: string;
	readonly name: "read" | "edit";
	readonly arguments: { readonly path: string; readonly text?: string };
	readonly result: string;
}

export interface Answer {
	readonly thinking: string;
	readonly text: string;
	readonly calls: readonly ScriptedCall[];
}

export interface Turn {
	readonly asks: string;
	/** The last answer of a turn has no calls. */
	readonly answers: readonly Answer[];
}

/** A part of a request, as the model sees it. */
export type Block =
	| { readonly type: "user" | "text" | "thinking"; readonly text: string }
	| {
			readonly type: "call";
			readonly id: string;
			readonly name: string;
			readonly arguments: Readonly<Record<string, unknown>>;
	  }
	| { readonly type: "result"; readonly id: string; readonly text: string };

/** The parts of a request, in order. */
export type Request = readonly Block[];

/** The names of an item's blocks for a comparison of what is sent; lines for evicted content have none. */
export function labelsOf(request: Request, turns: readonly Turn[]): readonly string[] {
	const asked = new Set(turns.map(({ asks }) => asks));
	return request.flatMap((block) => {
		if (block.type === "call" || block.type === "result") return [`${block.type} ${block.id}`];
		return block.type !== "user" || asked.has(block.text) ? [`${block.type} ${block.text}`] : [];
	});
}

/** A session of so many turns that reads and edits files, several at once now and then. */
export function makeScript(seed: number, turns: number): readonly Turn[] {
	const random = seededRandom(seed);
	const pick = (end: number) => Math.floor(random() * end);
	return Array.from({ length: turns }, (_, turn) => {
		const steps = 2 + pick(6);
		const answers = Array.from({ length: steps }, (_, step) => {
			const calls = Array.from({ length: 1 + pick(3) }, (_, index) =>
				makeCall(`${turn}x${step}x${index}`, pick),
			);
			const thinking = pick(2) === 0 ? `I think about ${turn}x${step}.` : "";
			return { thinking, text: pick(3) === 0 ? `Next is ${turn}x${step}.` : "", calls };
		});
		return {
			asks: `Do task ${turn}.`,
			answers: [...answers, { thinking: "", text: `Done ${turn}.`, calls: [] }],
		};
	});
}

function makeCall(id: string, pick: (end: number) => number): ScriptedCall {
	const path = `src/file${pick(30)}.ts`;
	if (pick(4) === 0) {
		const text = `const edited${id} = ${pick(100)};`;
		return { id: `toolu_${id}`, name: "edit", arguments: { path, text }, result: `edited for ${id}` };
	}
	const lines = Array.from(
		{ length: 1 + pick(40) },
		(_, line) => `${path} line ${line} holds value ${pick(50)}`,
	);
	return { id: `toolu_${id}`, name: "read", arguments: { path }, result: lines.join("\n") };
}
