/** The claims of the page on faded memory (seed 004). */
import { type Claim, tested, type Verdict } from "./claim.ts";
import { type Kept, keptBy, show } from "./window-claims.ts";

const PLACE = "faded memory";

/** Edits that differ by less than this share say nothing: a few of some hundred. */
const NOISE = 0.02;

function judge(own: Kept, plain: Kept): Verdict {
	if (own.kept > plain.kept + NOISE && own.cost <= plain.cost + NOISE) return "reproduced";
	return own.kept < plain.kept - NOISE || own.cost > plain.cost + NOISE ? "contradicted" : "in part";
}

function compared(claim: string, names: readonly string[]): Claim {
	return tested(PLACE, claim, "fading", (figures) => {
		const plain = keptBy(figures, "cwl");
		const rows = names.flatMap((name) => {
			const own = keptBy(figures, name);
			return own ? [{ name, own }] : [];
		});
		const [first] = rows;
		if (!plain || !first) return undefined;
		const all = [{ name: "cwl", own: plain }, ...rows];
		return {
			figure: all.map(({ name, own }) => show(name, own)).join(", "),
			verdict: judge(first.own, plain),
		};
	});
}

export const fadingClaims: readonly Claim[] = [
	compared("Older outputs at lower detail keep more of the session than removing them", [
		"cwl:fading=on",
		"cwl:fading=only",
	]),
	compared("A placeholder in the place of each removed output keeps more than one line for an episode", [
		"cwl:fading=placeholder",
	]),
	tested(PLACE, "Cache-friendly: content changes only when a summary is made", "replay", ({ policies }) => {
		const breaks = policies.find(({ policy }) => policy === "compaction")?.prefixBreaks;
		return breaks === undefined
			? undefined
			: { figure: `compaction breaks the prefix ${breaks} times over all sessions`, verdict: "in part" };
	}),
];
