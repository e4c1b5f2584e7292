/** A small session with every kind of episode, for previews and manual passes. */
import type { Pass } from "../log/pass.ts";
import { viewOfLog } from "../log/view.ts";
import type { PlanInput } from "../planning/policy.ts";
import * as draft from "./message-builders.ts";
import { planInput, requestSize } from "./simulation.ts";
import { act, expl, use } from "./small-sessions.ts";

const session = [
	draft.person(),
	...expl("look", ...use("grep", "g1"), ...use("read", "r1")),
	...act("fix", ["look"], ...use("read", "r2"), ...use("edit", "w2")),
	draft.person(),
	...expl("later", ...use("read", "r3")),
	...draft.exchange(draft.startExpl("o", "open")),
	...use("read", "r4"),
	...use("read", "r5"),
];

/** The plan input for the session under a log. */
export function inputOf(budget: number, log: readonly Pass[] = []): PlanInput {
	return planInput(draft.fold(...session), { budget }, viewOfLog(log));
}

/** Size of the session before any pass, in tokens. */
export const total = requestSize(draft.fold(...session));
