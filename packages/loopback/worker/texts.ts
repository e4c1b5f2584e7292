/** The words of tasks and files. They are data: `forms` holds the wordings of requests, `chatter` what stands around them. */
import texts from "./texts.json" with { type: "json" };

export const TEXTS = texts;
