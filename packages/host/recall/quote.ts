/** Names, arguments and queries on a line of ours: quoted, so that none can end the line or pose as another. */

/** Control characters that JSON leaves as they are, line ends of Unicode, and marks that turn the reading direction. */
const ODD = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** JSON on one line of printable characters; it still parses to what it was. */
export function printable(json: string): string {
	return json.replace(ODD, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A text in double quotes. */
export function quote(text: string): string {
	return printable(JSON.stringify(text));
}

/** The beginning of a text in double quotes; longer ones end with three dots behind the quotes. */
export function quoteStart(text: string, most: number): string {
	return text.length <= most ? quote(text) : `${quote(text.slice(0, most))}...`;
}
