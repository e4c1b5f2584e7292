import { expect, test } from "vitest";
import { providerName } from "./conventions.ts";

test.each([
	["anthropic", "anthropic"],
	["amazon-bedrock", "aws.bedrock"],
	["openai-codex", "openai"],
	["google", "gcp.gemini"],
	["my-own-server", "my-own-server"],
])("the provider %s goes by the conventions' name %s", (provider, name) => {
	expect(providerName(provider)).toBe(name);
});
