/** Names, paths and descriptions on a line of ours: quoted, so that none can end the line or pose as another. */

/** Control characters that JSON leaves as they are, line ends of Unicode, and marks that hide or turn what follows. */
const ODD = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** JSON on one line of printable characters; it still parses to what it was. */
export function printable(json: string): string {
	return json.replace(ODD, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A text in double quotes, on one line of printable characters; as JSON it parses to what it was. */
export function quote(text: string): string {
	return printable(JSON.stringify(text));
}

/** The beginning of a text in double quotes; of one with more than `most` characters, three dots follow the quotes. */
export function quoteStart(text: string, most: number): string {
	return text.length <= most ? quote(text) : `${quote(text.slice(0, most))}...`;
}
