/** The moments at which processes are killed, drawn by a seed. */
import { createRandom, type Random } from "#loopback";

export type Moment =
	/** Ms after the start of the process. */
	| { readonly type: "start"; readonly afterMs: number }
	/** Ms after its first prompt. */
	| { readonly type: "work"; readonly afterMs: number }
	/** Inside the write of a line of the session file, after that share of its bytes. */
	| { readonly type: "write"; readonly skip: number; readonly share: number }
	/** The same in the write of the next pass; a share of 0 means that the pass is decided but not on disk. */
	| { readonly type: "pass"; readonly share: number }
	/** After the pass is in the log and its request is sent. */
	| { readonly type: "pass-sent" }
	/** Ms after a tool began to run. */
	| { readonly type: "tool"; readonly skip: number; readonly afterMs: number }
	/** Ms after the first piece of a streamed answer. */
	| { readonly type: "stream"; readonly skip: number; readonly afterMs: number };

/** Half of the kills come at any time during the work, the other half at chosen points. */
const KINDS = [
	...(["work", "work", "work", "work", "work", "work"] as const),
	...(["start", "write", "pass", "pass-sent", "tool", "stream"] as const),
];
export const MOMENT_TYPES = [...new Set<Moment["type"]>(KINDS)];

/** Pi is ready to work after about two seconds. */
const START_MS = 2_500;
/** A task of the worker takes about half a second. */
const WORK_MS = 2_000;

/** The moment of a run, the same for the same seed and run. */
export function drawMoment(seed: number, run: number): Moment {
	const random = createRandom(seed * 7_919 + run);
	return makeMoment(random.pick(KINDS), random);
}

/** A moment of a given type with random figures. */
export function makeMoment(type: Moment["type"], random: Random): Moment {
	const share = () => random.pick([0, 1, random.between(1, 99) / 100, random.between(1, 99) / 100]);
	switch (type) {
		case "start":
			return { type, afterMs: random.between(0, START_MS) };
		case "work":
			return { type, afterMs: random.between(0, WORK_MS) };
		case "write":
			return { type, skip: random.between(0, 12), share: share() };
		case "pass":
			return { type, share: share() };
		case "pass-sent":
			return { type };
		case "tool":
			return { type, skip: random.between(0, 4), afterMs: random.between(0, 40) };
		case "stream":
			return { type, skip: random.between(0, 4), afterMs: random.between(0, 20) };
	}
}
