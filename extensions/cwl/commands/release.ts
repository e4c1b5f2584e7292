/** `/cwl release`: what a person pasted long ago is cut to head and tail, on this word only. */
import { totalTokens } from "#core/ledger";
import { type Pass, viewAfter } from "#core/log";
import type { PlanInput } from "#core/planning";
import { CwlError, formatTokens, type HostMessage, loadTokenCounter, planRelease, userText } from "#pi";
import { inOneLine } from "../notice.ts";
import type { Runtime } from "../state/runtime.ts";
import type { PlanningContext } from "../state/session-state.ts";
import type { Command } from "./command.ts";

export function createRelease(runtime: Runtime): Command {
	return {
		usage: "release [WORDS]",
		async run(value, ctx) {
			if (!runtime.settings.isEnabled) {
				throw new CwlError("off", "cwl is off and every request sends the whole history: /cwl on first.");
			}
			const outlook = await runtime.session.planning(ctx);
			const all = planRelease(outlook.messages, outlook.input, await loadTokenCounter());
			if (!all) return "nothing to release: your long messages are recent or cut already.";
			const pass = value === "" ? all : keepNamed(all, outlook, value);
			runtime.decisions.evict(ctx, await runtime.session.managed(), pass);
			const count = pass.releases?.length ?? 0;
			const tokens = formatTokens(runtime.scale.part(ctx, pass.before - pass.after));
			const what =
				count === 1 ? "1 old message of yours keeps its" : `${count} old messages of yours keep their`;
			return inOneLine(
				`${what} head and tail from the next request on, ${tokens} tokens less; recall has the rest, /cwl undo takes it back.`,
				`${what} head and tail, ${tokens} tokens less.`,
				`${tokens} tokens less, /cwl undo takes it back.`,
			);
		},
	};
}

/**
 * Only the messages that hold these words.
 * @throws CwlError when none of them does
 */
function keepNamed(pass: Pass, { input, messages }: PlanningContext, words: string): Pass {
	const wanted = words.toLowerCase();
	const releases = (pass.releases ?? []).filter(({ item }) =>
		textOfItem(input, messages, item).toLowerCase().includes(wanted),
	);
	if (releases.length === 0) {
		throw new CwlError(
			"nothing-to-release",
			"no long old message of yours holds these words: /cwl release takes all of them.",
		);
	}
	const some = { ...pass, releases };
	return { ...some, after: totalTokens(input.graph, viewAfter(input.view, some), input.fixed) };
}

function textOfItem({ graph }: PlanInput, messages: readonly HostMessage[], item: string): string {
	const message = messages[graph.messages.findIndex(({ items }) => items.some(({ id }) => id === item))];
	return userText(message);
}
