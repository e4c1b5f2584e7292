/** Fields of recorded JSON, read without trust: what is not there or of another type comes out empty. */
import type { Part } from "./composing.ts";
import { type Fields, isFields } from "./json.ts";

export function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

export function fieldsOf(value: unknown): Fields {
	return isFields(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** A point in time in ms since the epoch, from ISO 8601 or a number of ms; 0 when there is none. */
export function timeOf(value: unknown): number {
	const time = typeof value === "string" ? Date.parse(value) : value;
	return typeof time === "number" && Number.isFinite(time) ? time : 0;
}

const IMAGES = new Set(["image", "image_url", "input_image"]);

/**
 * Content as the chat APIs write it: a text, or a list of parts with a `text` or a picture, whatever their type is
 * called. Pictures count a fixed sum of tokens: their bytes are dropped, so that they do not fill the memory. Parts of other kinds are handed to `refuse`.
 */
export function readParts(content: unknown, refuse: (kind: string) => void = () => {}): Part[] {
	if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
	const parts: Part[] = [];
	for (const part of listOf(content)) {
		const { type, text } = typeof part === "string" ? { type: "text", text: part } : fieldsOf(part);
		if (typeof text === "string") parts.push({ type: "text", text });
		else if (isPicture(part)) parts.push({ type: "image", data: "", mimeType: "image/png" });
		else refuse(textOf(type) || "without a type");
	}
	return parts;
}

function isPicture(part: unknown): boolean {
	const { type, inlineData } = fieldsOf(part);
	return IMAGES.has(textOf(type)) || isFields(inlineData);
}

export function joinText(parts: readonly Part[]): string {
	return parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** The arguments of a call, recorded as an object or as its JSON; `input` holds what is neither. */
export function readArguments(value: unknown): Fields {
	if (isFields(value)) return value;
	if (typeof value !== "string") return {};
	try {
		const parsed: unknown = JSON.parse(value);
		return isFields(parsed) ? parsed : { input: value };
	} catch {
		return { input: value };
	}
}
