/** Removes from a report, and keeps out of the project memory, what others must not see: keys, tokens, and paths of home folders. */
import { isRecord } from "#basics";

/** The form of a secret, and its replacement; `$1` keeps what names it. No form may try a long run of characters again from each of them, which would take quadratic time. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
	[/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, "[private key]"],
	[
		/\b(?:(?:sk|pk|rk)[-_.]|(?:npm|hf)_|(?:ghp|gho|ghu|ghs|ghr|glpat|xox[a-z]|dop_v1|AIza|AKIA|ASIA|ya29)[-_.]?)[\w-]{12,}/g,
		"[token]",
	],
	[/\bhooks\.slack\.com\/services\/[\w/-]+/g, "[token]"],
	[/\bgithub_pat_\w{20,}/g, "[token]"],
	// JSON web tokens; their heads are short.
	[/\beyJ[\w-]{8,2000}\.[\w-]{8,}\.[\w-]*/g, "[token]"],
	[/\b(bearer|basic)\s+[\w.~+/=-]{12,}/gi, "$1 [token]"],
	[/\b(authorization["']?:\s*["']?(?:\w+\s+)?)[\w.~+/=:-]{8,}/gi, "$1[token]"],
	[/\b((?:set-)?cookie["']?:\s*["']?)[^\r\n"']+/gi, "$1[cookies]"],
	[/(\s--cookie[ =]["']?|\bcurl\b[^\n]{0,300}?\s-b\s*["']?)[^\s"'=]+=[^\r\n"']+/gi, "$1[cookies]"],
	[/\b((?:\w*sess(?:ion)?[_-]?id|connect\.sid|csrftoken)=)[^\s;"'&]{8,}/gi, "$1[token]"],
	// The fields of a .netrc, on one line or on lines of their own.
	[/\b((?:machine|login|account)\s+\S+\s+password\s+)\S+/gi, "$1[password]"],
	[/^(\s*password[ \t]+)\S+(?=\s*$)/gim, "$1[password]"],
	// Options of commands.
	[
		/(\s--(?:[a-z]+-){0,3}(?:token|password|passwd|pass|secret|api-?key|access-?key|auth)[ =]+["']?)(?!-)[^\s"']{4,}/gi,
		"$1[secret]",
	],
	[/(\s--(?:proxy-)?user[ =]+["']?[^\s:"']{1,100}:)[^\s"']+/g, "$1[password]"],
	[/(\b(?:curl|wget)\b[^\n]{0,300}?\s-[uU]\s*["']?[^\s:"']{1,100}:)[^\s"']+/g, "$1[password]"],
	[/\b(sshpass\s+-p\s*)\S+/g, "$1[password]"],
	[/(:\/\/[^\s/:@]+:)[^\s/@]+(?=@)/g, "$1[password]"],
	[
		/((?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|credentials?)["']?\s*[:=]\s*["']?)(?!(?:string|number|boolean|undefined|unknown|null|true|false)\b)[^\s"',;]{4,}/gi,
		"$1[secret]",
	],
	[/\b((?:password|passphrase|passwd)\s+(?:is|was)\s+)(?=\S*[\d"'`!@#$%^&*])\S{4,}/gi, "$1[secret]"],
];

const HOME = /(?:\/(?:home|Users)\/|[A-Za-z]:\\+Users\\+)[^\s/\\:"']+|\/root(?=\/|$)/g;

/** Characters of one text that are looked at. The rest of a longer text is left out. */
const MAX_LENGTH = 100_000;

/** A text without secrets; homes become `~`. What is no secret may go too, and a secret in plain words stays. */
export function redactText(text: string): string {
	if (text.length > MAX_LENGTH) {
		// A secret may stand across the end.
		const end = Math.max(0, text.lastIndexOf(" ", MAX_LENGTH));
		return `${redactText(text.slice(0, end))}[${text.length - end} more characters]`;
	}
	const shown = SECRETS.reduce((left, [form, instead]) => left.replace(form, instead), text);
	return replaceKeys(shown, () => "[token]").replace(HOME, "~");
}

/**
 * Returns true if something in a text has the form of a secret, or if the text is too long to tell. It may be none; a secret
 * in plain words is not noticed.
 */
export function hasSecret(text: string): boolean {
	if (text.length > MAX_LENGTH || SECRETS.some(([form]) => text.search(form) >= 0)) return true;
	return replaceKeys(text, (key) => (isName(key) ? key : "")) !== text;
}

/** A run of at least 32 letters and digits is a key more often than a word, if letters and digits also follow up to the end of its path. */
const KEY = /\w[\w+-]{31,}={0,2}/g;

/** Replaces the keys of a text. Looks at each run of path characters as a whole, so its time is linear. */
function replaceKeys(text: string, replace: (key: string) => string): string {
	return text.replace(/[\w+/-]+={0,2}/g, (path) => {
		const last = Math.min(path.search(/\d\D*$/), path.search(/[A-Za-z][^A-Za-z]*$/));
		return path.replace(KEY, (key, start: number) => (start > last ? key : replace(key)));
	});
}

/** Words joined by hyphens, with at most two numbers, are the name of something. */
function isName(run: string): boolean {
	const parts = run.split(/[-_]/);
	const numbers = parts.filter((part) => /^\d{1,4}$/.test(part));
	const words = parts.filter((part) => /^[A-Z]?[a-z]{1,24}$/.test(part));
	return numbers.length <= 2 && numbers.length + words.length === parts.length;
}

/** Writes the homes of people in paths as `~`. */
export function hideHomes(text: string): string {
	return text.replace(HOME, "~");
}

/** Data as JSON holds it, with every string in it redacted, keys included. */
export function redact<T>(data: T): T {
	return JSON.parse(JSON.stringify(data), (_key, value: unknown) => {
		if (typeof value === "string") return redactText(value);
		if (!isRecord(value)) return value;
		return Object.fromEntries(Object.entries(value).map(([key, each]) => [redactText(key), each]));
	});
}
