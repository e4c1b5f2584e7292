/** Names, paths and descriptions on a line of ours: quoted, so that none can end the line or pose as another. */

/** Control characters that JSON leaves as they are, line ends of Unicode, and marks that hide or turn what follows. */
const ODD = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** A text in double quotes, on one line of printable characters; as JSON it parses to what it was. */
export function quote(text: string): string {
	const toCode = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
	return JSON.stringify(text).replace(ODD, toCode);
}

/** The beginning of a text in double quotes; of one with more than `most` characters, three dots follow the quotes. */
export function quoteStart(text: string, most: number): string {
	return text.length <= most ? quote(text) : `${quote(text.slice(0, most))}...`;
}
