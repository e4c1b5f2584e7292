/** Names for the episodes of a task, and patterns for names. */

/** A short hash of a prompt. */
export function digestPrompt(prompt: string): string {
	let digest = 0;
	for (const character of prompt) digest = (Math.imul(digest, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
	return digest.toString(36).padStart(7, "0").slice(-4);
}

/** The first words of a subject, as names show them. */
export function wordsOf(subject: string): string {
	const words = subject
		.replace(/([a-z])([A-Z])/g, "$1-$2")
		.toLowerCase()
		.match(/[a-z0-9]+/g) ?? ["task"];
	return words.slice(0, 4).join("-");
}

/** Words of the subject and a digest of the prompt. */
export function nameTask(subject: string, prompt: string): string {
	return `${wordsOf(subject)}-${digestPrompt(prompt)}`;
}

/** Escapes a text, so that it matches itself in grep and in JavaScript. */
export const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
