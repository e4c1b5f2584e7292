/** Escapes a text, so that it matches itself in grep and in JavaScript. */
export const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
