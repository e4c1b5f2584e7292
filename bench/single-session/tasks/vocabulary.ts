/** Words for generated names and descriptions. */
import type { Random } from "#loopback";

const THINGS = [
	"grace period",
	"cool-down",
	"warm-up time",
	"safety margin",
	"head start",
	"quiet time",
	"retry ceiling",
	"batch floor",
	"drain delay",
	"probe interval",
];
const CASES = [
	"idle sockets",
	"late replies",
	"half-open streams",
	"failed uploads",
	"partial reads",
	"silent peers",
	"stale entries",
	"nested documents",
	"slow consumers",
	"broken pipes",
];
const UNITS = ["seconds", "minutes", "attempts", "entries", "bytes", "ticks"];
const KNOBS = ["idle", "drain", "probe", "retry", "flush", "parse", "queue", "socket", "stream", "header"];
const MEASURES = ["Ceiling", "Floor", "Stride", "Margin", "Pace", "Reserve", "Window", "Quota"];
const VERBS = [
	"arrange",
	"compile",
	"gather",
	"inspect",
	"combine",
	"prune",
	"derive",
	"settle",
	"collect",
	"weigh",
];

export const makeDescription = (random: Random): string =>
	`${random.pick(THINGS)} for ${random.pick(CASES)} in ${random.pick(UNITS)}`;

export const makeOption = (random: Random): string => `${random.pick(KNOBS)}${random.pick(MEASURES)}`;

/** Another name of the same kind; a type keeps its capital. */
export function makeName(random: Random, name: string): string {
	const verb = random.pick(VERBS);
	const tail = name.replace(/^[a-z]+/, "");
	const isType = /^[A-Z]/.test(name);
	const noun = tail === "" ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : tail;
	return isType ? `${verb.charAt(0).toUpperCase()}${verb.slice(1)}d${noun}` : `${verb}${noun}`;
}

/** The first unused name; a number is added once the combinations are used up. */
export function fresh(taken: Set<string>, make: () => string): string {
	const name = firstFree(taken, make);
	taken.add(name);
	return name;
}

function firstFree(taken: ReadonlySet<string>, make: () => string): string {
	for (let attempt = 0; attempt < 20; attempt += 1) {
		const name = make();
		if (!taken.has(name)) return name;
	}
	const name = make();
	let number = 2;
	while (taken.has(`${name}${number}`)) number += 1;
	return `${name}${number}`;
}
