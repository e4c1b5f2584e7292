/** When a process is killed, drawn by a seed. */
import { createRandom, type Random } from "#loopback";

export type Moment =
	/** So long after the process was started. */
	| { readonly type: "start"; readonly afterMs: number }
	/** So long after its first prompt was sent. */
	| { readonly type: "work"; readonly afterMs: number }
	/** In the write of a line of the session file, with that share of its bytes written. */
	| { readonly type: "write"; readonly skip: number; readonly share: number }
	/** The same in the write of the next pass: with a share of 0 it is decided, and nowhere written. */
	| { readonly type: "pass"; readonly share: number }
	/** The pass is in the log and its request has gone out. */
	| { readonly type: "pass-sent" }
	/** So long after a tool began to run. */
	| { readonly type: "tool"; readonly skip: number; readonly afterMs: number }
	/** So long after the first piece of a streamed answer. */
	| { readonly type: "stream"; readonly skip: number; readonly afterMs: number };

/** Half of all at any time of the work, the other half at chosen points. */
const KINDS = [
	...(["work", "work", "work", "work", "work", "work"] as const),
	...(["start", "write", "pass", "pass-sent", "tool", "stream"] as const),
];
export const MOMENT_TYPES = [...new Set<Moment["type"]>(KINDS)];

/** Pi is ready to work after about two seconds. */
const START_MS = 2_500;
/** A task of the worker takes about half a second. */
const WORK_MS = 2_000;

/** The moment of a run: the same seed and run, the same moment. */
export function drawMoment(seed: number, run: number): Moment {
	const random = createRandom(seed * 7_919 + run);
	return makeMoment(random.pick(KINDS), random);
}

/** A moment of a given type, its figures drawn. */
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
