/** A kind of policy, whose knobs are set by name: `NAME:KNOB=VALUE:KNOB=VALUE` sets some, the others keep their defaults. */
import { CwlError } from "#pi";
import type { ReplayPolicy } from "./replay-policy.ts";

/** A number (`20k` is 20,000), or a word. */
type Knob = number | string;
type Knobs = Readonly<Record<string, Knob>>;
type Values<K extends Knobs> = { readonly [P in keyof K]: K[P] extends number ? number : string };

export interface PolicyKind {
	readonly name: string;
	/** Makes a policy with these knobs set. @throws CwlError `bad-knob` */
	make(name: string, settings: readonly string[]): ReplayPolicy;
}

export function defineKind<K extends Knobs>(
	name: string,
	knobs: K,
	create: (name: string, values: Values<K>) => ReplayPolicy,
): PolicyKind {
	return {
		name,
		make: (own, settings) => create(own, { ...knobs, ...readKnobs(name, knobs, settings) } as Values<K>),
	};
}

function readKnobs(kind: string, knobs: Knobs, settings: readonly string[]): Knobs {
	return Object.fromEntries(
		settings.map((setting) => {
			const [knob = "", text = ""] = setting.split("=", 2);
			const standard = Object.hasOwn(knobs, knob) ? knobs[knob] : undefined;
			const value = standard === undefined ? undefined : readValue(text, standard);
			if (value !== undefined) return [knob, value];
			const known = Object.entries(knobs).map(([each, usual]) => `${each}=${usual}`);
			throw new CwlError(
				"bad-knob",
				`${kind}: ${JSON.stringify(setting)} sets nothing; it takes ${known.join(", ") || "no knobs"}.`,
			);
		}),
	);
}

function readValue(text: string, standard: Knob): Knob | undefined {
	if (typeof standard !== "number") return text;
	const [, digits, kilo] = /^(\d+(?:\.\d+)?|\.\d+)(k?)$/.exec(text) ?? [];
	return digits === undefined ? undefined : Number(digits) * (kilo === "k" ? 1_000 : 1);
}
