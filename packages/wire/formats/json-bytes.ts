/**
 * Finds where the parts of a JSON text stand and edits it, without changing or copying the rest: what is not edited is sent
 * on byte for byte. Works on bytes, since all that JSON is structured by is ASCII. It finds ends, and leaves it to
 * `JSON.parse` to judge what stands between them.
 */
/** A range of bytes, `end` excluded. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** One `"key": value` of an object. */
export interface Member {
	readonly key: string;
	/** From the key's first quote to the end of the value. */
	readonly whole: Span;
	readonly value: Span;
}

export interface ScannedObject {
	readonly span: Span;
	readonly members: readonly Member[];
}

export interface ScannedArray {
	readonly span: Span;
	readonly elements: readonly Span[];
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The object that begins at a place, after white space; undefined if there is none, or a key stands in it twice. */
export function scanObject(bytes: Buffer, at = 0): ScannedObject | undefined {
	const start = skipSpace(bytes, at);
	if (bytes[start] !== OPEN_OBJECT) return undefined;
	const members: Member[] = [];
	const keys = new Set<string>();
	let next = skipSpace(bytes, start + 1);
	if (bytes[next] === CLOSE_OBJECT) return { span: { start, end: next + 1 }, members };
	while (bytes[next] === QUOTE) {
		const keyEnd = skipString(bytes, next);
		const colon = skipSpace(bytes, keyEnd);
		if (bytes[colon] !== COLON) return undefined;
		const key = parseAt(bytes, { start: next, end: keyEnd });
		if (typeof key !== "string" || keys.has(key)) return undefined;
		const value = spanAt(bytes, colon + 1);
		if (!value) return undefined;
		keys.add(key);
		members.push({ key, whole: { start: next, end: value.end }, value });
		const after = skipSpace(bytes, value.end);
		if (bytes[after] === CLOSE_OBJECT) return { span: { start, end: after + 1 }, members };
		if (bytes[after] !== COMMA) return undefined;
		next = skipSpace(bytes, after + 1);
	}
	return undefined;
}

/** The array that begins at a place, after white space; undefined if there is none. */
export function scanArray(bytes: Buffer, at: number): ScannedArray | undefined {
	const start = skipSpace(bytes, at);
	if (bytes[start] !== OPEN_ARRAY) return undefined;
	const elements: Span[] = [];
	let next = skipSpace(bytes, start + 1);
	if (bytes[next] === CLOSE_ARRAY) return { span: { start, end: next + 1 }, elements };
	for (;;) {
		const element = spanAt(bytes, next);
		if (!element) return undefined;
		elements.push(element);
		const after = skipSpace(bytes, element.end);
		if (bytes[after] === CLOSE_ARRAY) return { span: { start, end: after + 1 }, elements };
		if (bytes[after] !== COMMA) return undefined;
		next = after + 1;
	}
}

/** The value of a key; undefined if the object has no such key. */
export function memberOf({ members }: ScannedObject, key: string): Member | undefined {
	return members.find((member) => member.key === key);
}

/** Edits that give an object a member, behind those that it has unless it is one of them. */
export function setMember(object: ScannedObject, key: string, value: unknown): readonly Edit[] {
	const text = JSON.stringify(value);
	const known = memberOf(object, key);
	if (known) return [{ ...known.value, text }];
	const { members, span } = object;
	const end = members.at(-1)?.whole.end ?? span.start + 1;
	return [{ start: end, end, text: `${members.length > 0 ? "," : ""}${JSON.stringify(key)}:${text}` }];
}

/** The value that a span holds; undefined if it is no JSON. */
export function parseAt(bytes: Buffer, { start, end }: Span): unknown {
	return parseJson(bytes.toString("utf8", start, end));
}

/** The value of a text; undefined if it is no JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The value that begins at a place, after white space; undefined if none ends. */
function spanAt(bytes: Buffer, at: number): Span | undefined {
	const start = skipSpace(bytes, at);
	const end = skipValue(bytes, start);
	return end > start && end <= bytes.length ? { start, end } : undefined;
}

function skipSpace(bytes: Buffer, at: number): number {
	let next = at;
	for (;;) {
		const byte = bytes[next];
		if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return next;
		next += 1;
	}
}

/** The end of the value that begins here; a place past the end of the text if it is cut off. */
function skipValue(bytes: Buffer, start: number): number {
	const first = bytes[start];
	if (first === QUOTE) return skipString(bytes, start);
	if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return skipLiteral(bytes, start);
	let depth = 0;
	let next = start;
	while (next < bytes.length) {
		const byte = bytes[next];
		if (byte === QUOTE) {
			next = skipString(bytes, next);
			continue;
		}
		next += 1;
		if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
		else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
			depth -= 1;
			if (depth === 0) return next;
		}
	}
	return bytes.length + 1;
}

function skipLiteral(bytes: Buffer, start: number): number {
	let next = start;
	while (next < bytes.length) {
		const byte = bytes[next] ?? 0;
		if (byte <= 0x20 || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) return next;
		next += 1;
	}
	return next;
}

/** The end of a string: the next quote with an even number of backslashes before it. */
function skipString(bytes: Buffer, start: number): number {
	for (let quote = bytes.indexOf(QUOTE, start + 1); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
		let first = quote;
		while (bytes[first - 1] === BACKSLASH) first -= 1;
		if ((quote - first) % 2 === 0) return quote + 1;
	}
	return bytes.length + 1;
}

/** Puts a text in place of a range of bytes. */
export interface Edit extends Span {
	readonly text: string;
}

/** The bytes after all edits, which must not overlap. */
export function applyEdits(bytes: Buffer, edits: readonly Edit[]): Buffer {
	if (edits.length === 0) return bytes;
	const pieces: Buffer[] = [];
	let at = 0;
	for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
		pieces.push(bytes.subarray(at, start), Buffer.from(text));
		at = end;
	}
	return Buffer.concat([...pieces, bytes.subarray(at)]);
}

/** Edits that leave out the members with these keys. */
export function removeMembers({ span, members }: ScannedObject, keys: readonly string[]): readonly Edit[] {
	const elements = members.map(({ whole }) => whole);
	return editElements({ span, elements }, (index) => !keys.includes(members[index]?.key ?? ""));
}

/**
 * Edits that leave out some elements, and add others behind the elements with these indexes. They stand between elements
 * only, so that the elements themselves can be edited too.
 */
export function editElements(
	{ span: { start, end }, elements }: ScannedArray,
	isKept: (index: number) => boolean,
	added: ReadonlyMap<number, readonly string[]> = new Map(),
): readonly Edit[] {
	const edits: Edit[] = [];
	/** The end of the last element that stays, or of the bracket. */
	let last = start + 1;
	let isFirst = true;
	let isGap = false;
	for (const [index, element] of elements.entries()) {
		if (isKept(index)) {
			if (isGap) edits.push({ start: last, end: element.start, text: isFirst ? "" : "," });
			last = element.end;
			isFirst = false;
			isGap = false;
		} else isGap = true;
		const texts = added.get(index) ?? [];
		if (texts.length === 0) continue;
		// What is added behind an element that goes takes its place.
		edits.push({
			start: last,
			end: isGap ? element.end : last,
			text: (isFirst ? "" : ",") + texts.join(","),
		});
		last = isGap ? element.end : last;
		isGap = false;
		isFirst = false;
	}
	if (isGap) edits.push({ start: last, end: end - 1, text: "" });
	return edits;
}
