/** `/cwl pin REF` and `/cwl unpin REF`: what is pinned is kept, whatever the pressure. */
import { nameText } from "#core/projection";
import { CwlError, formatTokens } from "#pi";
import { inOneLine } from "../notice.ts";
import type { Runtime } from "../state/runtime.ts";
import { type Command, episodeNamed, typeableNames } from "./command.ts";

export function createPin(runtime: Runtime): Command {
	return {
		usage: "pin REF",
		values: async () => typeableNames(await runtime.session.graph()),
		async run(value, ctx) {
			const { input } = await runtime.session.planning(ctx);
			const { id, name, tokens } = episodeNamed(input.graph, value, "pin REF");
			const shown = nameText(name);
			if (runtime.decisions.pinned.has(id)) return `${shown} is pinned already.`;
			const { level, removedTokens = 0 } = input.view.episodes.get(id) ?? {};
			if (level === 4) {
				throw new CwlError(
					"evicted",
					`${shown} is evicted already, and a pin brings nothing back: /cwl undo or recall it.`,
				);
			}
			runtime.decisions.pin(ctx, id, true);
			const left = formatTokens(runtime.scale.part(ctx, tokens - removedTokens));
			return inOneLine(
				`${shown} is pinned: its ${left} tokens stay until /cwl unpin.`,
				`${shown} is pinned: its ${left} tokens stay.`,
			);
		},
	};
}

export function createUnpin(runtime: Runtime): Command {
	const pinnedOf = async () => {
		const { episodes } = await runtime.session.graph();
		return { episodes: episodes.filter(({ id }) => runtime.decisions.pinned.has(id)) };
	};
	return {
		usage: "unpin REF",
		values: async () => typeableNames(await pinnedOf()),
		async run(value, ctx) {
			const { input } = await runtime.session.planning(ctx);
			const { id, name } = episodeNamed(input.graph, value, "unpin REF");
			if (!runtime.decisions.pinned.has(id)) return `${nameText(name)} is not pinned.`;
			runtime.decisions.pin(ctx, id, false);
			return inOneLine(`${nameText(name)} is no longer pinned.`);
		},
	};
}
