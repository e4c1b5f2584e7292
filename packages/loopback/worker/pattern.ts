/** A text as a pattern that matches itself, in grep and in JavaScript. */
export const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
