import { testRules } from "../test-support/rule-table.ts";
import { googleRules } from "./google.ts";

const text = (said: string) => ({ text: said });
const call = (name: string, thoughtSignature?: string) => ({
	functionCall: { name, args: {} },
	...(thoughtSignature !== undefined && { thoughtSignature }),
});
const response = (name: string) => ({ functionResponse: { name, response: { output: "" } } });
const user = (...parts: unknown[]) => ({ role: "user", parts });
const model = (...parts: unknown[]) => ({ role: "model", parts });
const hi = user(text("hi"));

const both = [response("a"), response("b")];
const loop = [model(call("a")), user(response("a"))];

const body = (...contents: unknown[]) => ({ model: "gemini-2.5-pro", contents });
const third = (...contents: unknown[]) => ({ model: "gemini-3-pro-preview", contents });

testRules("google", googleRules, {
	accepts: [
		["a user turn", body(hi)],
		["two user turns in a row", body(hi, hi)],
		["two texts of the model in a row", body(hi, model(text("a")), model(text("b")), hi)],
		["parallel calls", body(hi, model(text("so"), call("a"), call("b")), user(...both))],
		["calls one after the other", body(hi, ...loop, model(call("b")), user(response("b")))],
		["an image", body(user({ inlineData: { mimeType: "image/png", data: "" } }))],
		["a signed call", third(hi, model(call("a", "c2ln")), user(response("a")))],
		["parallel calls, the first signed", third(hi, model(call("a", "c2ln"), call("b")), user(...both))],
		["unsigned calls of an earlier turn", third(hi, ...loop, hi)],
		["unsigned calls of an older model", body(hi, ...loop)],
	],
	refuses: [
		["contents is not specified", body()],
		["Please use a valid role", body({ role: "assistant", parts: [text("x")] })],
		["contents[1].parts: contents.parts must not be empty", body(hi, model())],
		["contents[0].parts[0].data: required oneof field", body(user({}))],
		["required oneof field", body(user({ ...text("x"), ...call("a") }))],
		["function call turn comes immediately after", body(...loop)],
		["function call turn comes immediately after", body(hi, model(text("x")), ...loop)],
		["function response turn comes immediately after", body(hi, user(response("a")))],
		["function response turn comes immediately after", body(hi, model(call("a")), hi, user(response("a")))],
		["number of function response parts", body(hi, model(call("a"), call("b")), user(response("a")))],
		["number of function response parts", body(hi, model(call("a")))],
		["number of function response parts", body(hi, model(call("a")), user(response("a"), response("a")))],
		["Name cannot be empty", body(hi, model(call("a")), user(response("")))],
		["Base64 decoding failed", third(hi, model(call("a", "a_b!")), user(response("a")))],
		["missing a thought_signature", third(hi, ...loop)],
		[
			"default_api:b",
			third(
				hi,
				model(call("a", "c2ln")),
				user(response("a")),
				model(call("b"), call("a", "c2ln")),
				user(...both),
			),
		],
	],
});
