import { fieldsOf, type UnknownRecord } from "#basics";
import { ANTHROPIC } from "../wire/anthropic.ts";
import type { ApiName } from "../wire/api.ts";
import { COMPLETIONS } from "../wire/completions.ts";
import { RESPONSES } from "../wire/responses.ts";

const APIS = { completions: COMPLETIONS, responses: RESPONSES, anthropic: ANTHROPIC };

/** Posts text as it is and reads the answer as one JSON body. */
export async function postText(
	url: string,
	api: ApiName,
	text: string,
	headers: Readonly<Record<string, string>> = {},
) {
	const answer = await fetch(url + APIS[api].path, { method: "POST", body: text, headers });
	return { status: answer.status, body: fieldsOf(await answer.json()) };
}

/** The smallest body that asks for an answer to `text`, not streamed. */
export function plainBody(api: ApiName, text: string): UnknownRecord {
	const messages = [{ role: "user", content: text }];
	if (api === "responses") return { model: "m", input: text };
	return api === "anthropic" ? { model: "m", max_tokens: 100, messages } : { model: "m", messages };
}
