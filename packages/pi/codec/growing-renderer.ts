/** Renders the requests of one session: where all messages that are sent are whole, none of them is looked at. */
import type { ProjectedPart } from "#core/projection";
import { renderProjection } from "./rendering.ts";

/** Neighboring messages that are sent whole, by index; `end` is the first that is not. */
interface Run {
	readonly start: number;
	end: number;
}

/**
 * Returns a renderer of projections. A list that has grown since it was last rendered is read from there on, as long as all its
 * parts are whole messages: such a session may have tens of thousands, and their parts stay the same from request to request.
 */
export function createRenderer(): typeof renderProjection {
	let known: readonly ProjectedPart[] = [];
	let runs: Run[] = [];
	/** The number of parts that were read: all of them are in `runs`. */
	let read = 0;

	/** Returns true if all parts are whole messages. */
	function readOn(parts: readonly ProjectedPart[]): boolean {
		if (parts !== known || parts.length < read) {
			known = parts;
			runs = [];
			read = 0;
		}
		for (; read < parts.length; read += 1) {
			const part = parts[read];
			if (part?.type !== "whole") return false;
			const run = runs.at(-1);
			if (run?.end === part.message) run.end += 1;
			else runs.push({ start: part.message, end: part.message + 1 });
		}
		return true;
	}

	return (parts, messages) => {
		if (!readOn(parts)) return renderProjection(parts, messages);
		const [first = [], ...others] = runs.map(({ start, end }) => messages.slice(start, end));
		return others.length === 0 ? first : [first, ...others].flat();
	};
}
