/** The effect of a pass in words: the tokens that it frees, and its cost. */
import { type Pass, touchedEpisodes } from "#core/log";
import { passEffect } from "#core/planning";
import { pricePass } from "#core/prices";
import { countOf } from "#pi/screen";
import type { Outlook } from "../state/session-state.ts";

/** The tokens that a pass frees, and its cost: `12k tokens of 3 episodes; 20k cached tokens are then sent again, ...`. */
export function describeEffect({ input, sizes }: Outlook, pass: Pass): string {
	const tokens = sizes.show;
	const { freed, rewritten } = passEffect(input, pass);
	const { prices } = input;
	const { forfeited = 0, before } = pass;
	const price = prices && pricePass({ freed, rewritten, forfeited, before }, prices);
	const thinking = forfeited > 0 ? `, ${tokens(forfeited)} of them thinking that was bound to the rest` : "";
	return (
		`${tokens(freed)} tokens of ${countOf(touchedEpisodes(pass).size, "episode")}${thinking}; ` +
		`${tokens(rewritten)} cached tokens are then sent again${price ? `, ${describePrice(price)}` : ""}.`
	);
}

function describePrice({ cost, saving, paidBackAfter }: ReturnType<typeof pricePass>): string {
	if (!Number.isFinite(paidBackAfter)) return dollars(cost);
	const after = countOf(paidBackAfter, "request");
	return `${dollars(cost)} once, against ${dollars(saving)} less a request: paid back after ${after}`;
}

export function dollars(amount: number): string {
	return `$${amount.toPrecision(2)}`;
}
