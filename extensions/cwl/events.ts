/**
 * Events that other extensions can listen to on pi's event bus: `pi.events.on("cwl:pass", (data) => ...)`. Each event is plain
 * data with a `version`; docs/health.md describes them.
 */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import type { ComponentState } from "#core/health";
import type { BudgetComponent, RequestAccount } from "#core/ledger";
import type { Decision, Pass } from "#core/log";
import type { Spike, ZoneChange } from "#pi/add-ons";
import type { Alert, TurnMetrics } from "#pi/health";
import type { NamedBlocker } from "#pi/screen";

const VERSION = 1;

export interface Events {
	/** A pass was made; sizes in the tokens that we count. */
	readonly "cwl:pass": Pick<Pass, "policy" | "budget" | "before" | "after"> & {
		readonly episodes: readonly string[];
		readonly blockers: readonly NamedBlocker[];
		readonly decision: Decision | null;
	};
	/** An answer came; sizes in the tokens of the provider. */
	readonly "cwl:request": {
		readonly provider: string;
		readonly model: string;
		/** The size of the request as the footer shows it, and its budget. */
		readonly used: number;
		readonly budget: number;
		/** The reported input, cached or not; 0 when nothing was reported. */
		readonly input: number;
		readonly cached: number;
		readonly output: number;
	};
	/** The columns of a request's input, known when the next one goes out; in the provider's tokens. */
	readonly "cwl:account": RequestAccount & {
		/** True if a pass, an undo or a change of older text cut the prefix that it shared with the request before. */
		readonly isPrefixBreak: boolean;
	};
	/** The context was checked, after a run and after a pass; in tokens that we count. */
	readonly "cwl:health": {
		readonly utilisation: number;
		/** Tokens of the whole session that were read again after a pass had evicted them. */
		readonly regretted: number;
		/** The six components, and the one that grows fastest; null while none grows. */
		readonly components: readonly ComponentState[];
		readonly fastest: BudgetComponent | null;
	};
	/** A turn ended: its metrics. */
	readonly "cwl:turn": TurnMetrics;
	readonly "cwl:zone": ZoneChange;
	readonly "cwl:spike": Spike;
	/** An alert was raised; once for each of its id in a session. */
	readonly "cwl:alert": Alert;
	/** Something was asked for by recall; `pages` is 0 when nothing was found. */
	readonly "cwl:recall": {
		readonly by: "model" | "user";
		readonly query: string;
		readonly page: number;
		readonly pages: number;
	};
}

/** Sends an event to all listeners. */
export function emit<K extends keyof Events>(pi: ExtensionAPI, name: K, event: Events[K]): void {
	pi.events.emit(name, { version: VERSION, ...event });
}
