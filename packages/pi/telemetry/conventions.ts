/**
 * Names of OpenTelemetry's semantic conventions for generative AI, which have moved to a repository of their own
 * (github.com/open-telemetry/semantic-conventions-genai, docs/gen-ai/, status Development, over semantic conventions
 * 1.42.0) and differ from those up to 1.36.0 in `gen_ai.provider.name`, which was `gen_ai.system`.
 */

/** By pi's name of a provider; others go by their own. */
const providers: ReadonlyMap<string, string> = new Map([
	["amazon-bedrock", "aws.bedrock"],
	["azure-openai-responses", "azure.ai.openai"],
	["google", "gcp.gemini"],
	["google-vertex", "gcp.vertex_ai"],
	["mistral", "mistral_ai"],
	["moonshotai", "moonshot_ai"],
	["moonshotai-cn", "moonshot_ai"],
	["openai-codex", "openai"],
	["xai", "x_ai"],
]);

/** `gen_ai.provider.name`. */
export function providerName(provider: string): string {
	return providers.get(provider) ?? provider;
}
