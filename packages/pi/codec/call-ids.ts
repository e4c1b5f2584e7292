/**
 * Call ids without the ids of their items. OpenAI's call ids carry the `fc_` id of their item after a bar; it goes with
 * the reasoning, and two ids that differ in nothing else must stay two: Anthropic refuses an id that comes twice.
 */
import { fnv1a } from "#core";

/** Providers take ids of up to 64 characters; what tells two apart has up to 8. */
const MAX_LENGTH = 64;
const MAX_BASE = MAX_LENGTH - 8;

/** The ids that a request uses so far, in the order of its calls. */
export interface CallIds {
	/** The id of a call that loses its item id. Depends on the calls before it only. */
	strip(id: string): string;
	/** The id of a call that keeps it; another one only if an id that was stripped has become the same. */
	keep(id: string): string;
}

export function createCallIds(): CallIds {
	const used = new Set<string>();
	/** Ids to add to those in use: most requests strip none, and then nobody asks. */
	let kept: string[] = [];
	const stripped = new Set<string>();
	return {
		strip(id) {
			for (const other of kept) used.add(wireId(other));
			kept = [];
			const base = bareId(id);
			const free = used.has(wireId(base)) ? distinctId(id) : base;
			used.add(wireId(free));
			stripped.add(wireId(free));
			return free;
		},
		keep(id) {
			const free = stripped.size > 0 && stripped.has(wireId(id)) ? distinctId(id) : id;
			kept.push(free);
			return free;
		},
	};
}

/** Returns true if a request may have sent the call of this id under that one. */
export function isSentAs(sent: string, id: string): boolean {
	return sent === id || sent === bareId(id) || sent === distinctId(id);
}

function bareId(id: string): string {
	const bar = id.indexOf("|");
	return bar < 0 ? id : id.slice(0, bar);
}

function distinctId(id: string): string {
	return `${bareId(id).slice(0, MAX_BASE)}_${fnv1a(id).toString(36)}`;
}

/** An id in the letters and the length that pi gives it for a provider of another API. */
function wireId(id: string): string {
	return id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_LENGTH);
}
