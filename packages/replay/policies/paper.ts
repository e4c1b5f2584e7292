/** Algorithm 1: strict, with chosen departures from the paper, and with all of them. */
import { createPaper, type Departure, departures } from "#core/planning";
import { CwlError } from "#pi";
import { enginePolicy } from "./engine.ts";
import { defineKind, type PolicyKind } from "./knobs.ts";

const none: readonly string[] = [];

export const paperKinds: readonly PolicyKind[] = [
	defineKind("paper", { departs: none }, (name, { departs }) => paperThat(name, departs.map(readDeparture))),
	defineKind("paper-adapted", {}, (name) => paperThat(name, departures)),
];

function paperThat(name: string, departs: readonly Departure[]) {
	return enginePolicy(name, () => createPaper(departs, name));
}

/** @throws CwlError `bad-knob` */
function readDeparture(text: string): Departure {
	const departure = departures.find((known) => known === text);
	if (departure !== undefined) return departure;
	throw new CwlError(
		"bad-knob",
		`paper: departs names ${JSON.stringify(text)}; it takes ${departures.join(", ")}, joined by +.`,
	);
}
