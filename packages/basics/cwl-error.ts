/** An expected failure: the message says what was found, what is allowed, and what to do. */
export class CwlError extends Error {
	readonly code: string;

	constructor(code: string, message: string) {
		super(message);
		this.name = "CwlError";
		this.code = code;
	}
}
