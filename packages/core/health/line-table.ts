/** Where each line of a session was shown last: millions of them in a long one, so 8 bytes a place, and no objects. */

/** From the hash of a line to a number from 1 on. */
export interface LineTable {
	/** 0 for a line that was never set. */
	get(line: number): number;
	set(line: number, value: number): void;
}

const FIRST_SIZE = 1_024;
/** Fuller than this, probing gets slow. */
const FULLEST = 0.6;
/** Of Fibonacci hashing (Knuth, TAOCP 6.4): lines that differ by little land far apart. */
const GOLDEN = 0x9e3779b1;

/** An open-addressing hash table with linear probing; only the lowest 32 bits of a line are looked at. */
export function createLineTable(): LineTable {
	let keys = new Uint32Array(FIRST_SIZE);
	let values = new Uint32Array(FIRST_SIZE);
	let used = 0;

	/** The place of a line, or the free one where it belongs. */
	function placeOf(line: number): number {
		const mask = keys.length - 1;
		let place = (Math.imul(line, GOLDEN) >>> 7) & mask;
		while (values[place] !== 0 && keys[place] !== line) place = (place + 1) & mask;
		return place;
	}

	function grow() {
		const [oldKeys, oldValues] = [keys, values];
		keys = new Uint32Array(2 * oldKeys.length);
		values = new Uint32Array(2 * oldKeys.length);
		for (const [old, value] of oldValues.entries()) {
			if (value === 0) continue;
			const line = oldKeys[old] ?? 0;
			const place = placeOf(line);
			keys[place] = line;
			values[place] = value;
		}
	}

	return {
		get: (line) => values[placeOf(line >>> 0)] ?? 0,
		set(line, value) {
			const place = placeOf(line >>> 0);
			if (values[place] === 0) used += 1;
			keys[place] = line >>> 0;
			values[place] = value;
			if (used > FULLEST * keys.length) grow();
		},
	};
}
