/**
 * What other extensions can listen to on pi's event bus: `pi.events.on("cwl:pass", (data) => ...)`. Each event is plain
 * data with a `version`; docs/events.md describes them.
 */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import type { Graph } from "../../packages/core/graph.ts";
import type { Pass } from "../../packages/core/log.ts";
import type { Alert } from "../../packages/host/alerts.ts";

const VERSION = 1;

/** A pass was made; sizes in the tokens that we count. */
export function emitPass(pi: ExtensionAPI, pass: Pass, graph: Pick<Graph, "episodes">): void {
	const { policy, budget, before, after, strips, blockers, decision } = pass;
	const touched = new Set(strips.map(({ episode }) => episode));
	const episodes = graph.episodes.filter(({ id }) => touched.has(id)).map(({ name }) => name);
	pi.events.emit("cwl:pass", {
		...{ version: VERSION, policy, budget, before, after, episodes },
		blockers: blockers.map(({ what, tokens, remedy }) => ({ what, tokens, remedy })),
		decision: decision ?? null,
	});
}

/** An alert was raised; once for each of its id in a session. */
export function emitAlert(pi: ExtensionAPI, { id, grade, text, remedy }: Alert): void {
	pi.events.emit("cwl:alert", { version: VERSION, id, grade, text, remedy });
}

/** Something was asked for by recall; `pages` is 0 when nothing was found. */
export function emitRecall(
	pi: ExtensionAPI,
	recall: {
		readonly by: "model" | "person";
		readonly query: string;
		readonly page: number;
		readonly pages: number;
	},
): void {
	pi.events.emit("cwl:recall", { version: VERSION, ...recall });
}
