/** The only place that writes decisions to a session: each becomes one entry of pi's session file. */

import type { EpisodeId } from "#core/graph";
import type { Pass } from "#core/log";
import type { Descriptions } from "#core/planning";
import type { OutputRule } from "../outputs/output-limits.ts";
import {
	DESCRIPTION_ENTRY,
	type DescriptionEntry,
	OUTPUTS_ENTRY,
	PASS_ENTRY,
	PIN_ENTRY,
	type PinEntry,
	PREFIX_ENTRY,
	type PrefixEntry,
	STEERING_ENTRY,
	type Steering,
	UNDO_ENTRY,
	type UndoEntry,
} from "./log-entries.ts";
import type { PrefixChange } from "./prefix.ts";

export interface LogWriter {
	pass(pass: Pass): void;
	/** The last pass that holds is taken back, which makes the thinking of this entry invalid. */
	undo(change: Pass | undefined): void;
	prefix(change: PrefixChange): void;
	pin(episode: EpisodeId, isPinned: boolean): void;
	describe(edited: Descriptions): void;
	steer(change: Steering): void;
	outputs(rule: OutputRule): void;
}

/**
 * `append` may throw, as pi's does on a full disk: the decision holds in memory all the same, and `onRefused` learns
 * what was not written and why. No method throws unless `onRefused` does.
 */
export function createLogWriter(
	append: (type: string, data: unknown) => void,
	onRefused: (what: string, reason: string) => void,
): LogWriter {
	function write(what: string, type: string, data: unknown) {
		try {
			append(type, data);
		} catch (error) {
			onRefused(what, error instanceof Error ? error.message : String(error));
		}
	}
	return {
		pass: (pass) => write("a pass", PASS_ENTRY, pass),
		undo: (change) =>
			write("an undo", UNDO_ENTRY, { version: 1, ...(change && { change }) } satisfies UndoEntry),
		prefix: ({ prefix, pass }) =>
			write("a changed prefix", PREFIX_ENTRY, {
				...{ version: 1, ...prefix },
				...(pass && { change: pass }),
			} satisfies PrefixEntry),
		pin: (episode, isPinned) => write("a pin", PIN_ENTRY, { episode, isPinned } satisfies PinEntry),
		describe(edited) {
			for (const [episode, text] of edited) {
				write("a description", DESCRIPTION_ENTRY, { episode, text } satisfies DescriptionEntry);
			}
		},
		outputs: (rule) => write("a limit for outputs", OUTPUTS_ENTRY, { version: 1, ...rule }),
		steer: (change) => write("a change of settings", STEERING_ENTRY, change),
	};
}
