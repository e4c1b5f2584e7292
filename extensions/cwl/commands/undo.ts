/** `/cwl undo`: the last pass is taken back, and what it took is in the next request again. */
import { totalTokens } from "#core/ledger";
import { isPrefixChange } from "#core/thinking";
import { CwlError, formatTokens } from "#pi";
import { inOneLine } from "../notice.ts";
import { budgetOf } from "../state/budget.ts";
import type { Runtime } from "../state/runtime.ts";
import type { Command } from "./command.ts";

export function createUndo(runtime: Runtime): Command {
	return {
		usage: "undo",
		async run(_value, ctx) {
			const before = await runtime.session.planning(ctx);
			const managed = await runtime.session.managed();
			const number = managed.state().log.findLastIndex((pass) => !isPrefixChange(pass)) + 1;
			if (number === 0) throw new CwlError("no-pass", "there is no pass to take back.");
			runtime.decisions.undo(ctx, managed, before.messages, before.input);
			const { input } = await runtime.session.planning(ctx);
			const sizeOf = ({ graph, view, fixed }: typeof input) => totalTokens(graph, view, fixed);
			const [then, now] = [sizeOf(before.input), sizeOf(input)];
			const tokens = formatTokens(runtime.scale.part(ctx, now - then));
			const brief = `pass ${number} is taken back: ${tokens} tokens`;
			const back = `pass ${number} is taken back: ${tokens} tokens are in the next request again`;
			const budget = budgetOf(runtime, ctx);
			const used = runtime.scale.reported(ctx, now);
			if (used <= budget) return inOneLine(`${back}, and other things leave first.`, `${brief}.`);
			const size = `${formatTokens(used)} of ${formatTokens(budget)} tokens`;
			return inOneLine(
				`${back}. That is ${size}: other things leave first, and these too if that is not enough.`,
				`pass ${number} is taken back: now ${size}.`,
			);
		},
	};
}
