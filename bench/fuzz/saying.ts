/** User turns and notes from the host, between the answers of the model. */
import type { HostMessage } from "#pi";
import * as make from "../../packages/pi/test-support/host-messages.ts";
import type { Operation } from "./operations.ts";
import type { EntryBody } from "./session-file.ts";
import { textOf } from "./texts.ts";
import { pickFrom, type World, write } from "./world.ts";

/** Appends a message in one of the forms that pi has. */
export function say(world: World, { form, size, flavour }: Extract<Operation, { readonly type: "say" }>) {
	world.clock += 1;
	// The `> ` keeps the text from being empty: pi leaves out empty messages.
	const entry = pickFrom(formsOf(`> ${textOf(size, flavour)}`, world.clock), form);
	if (entry) write(world, entry);
}

function formsOf(text: string, timestamp: number): readonly EntryBody[] {
	const words = make.words(text);
	return [
		message(make.user(text, timestamp)),
		message(make.user([words], timestamp)),
		message(make.user([words, make.image], timestamp)),
		message(make.bash("ls", text, timestamp)),
		message(make.hiddenBash("env", timestamp)),
		custom("skill", text),
		custom("skill", [words, make.image]),
		// One of few texts, so that the same one comes again.
		custom("cwl.git", `status ${text.length % 3}`),
		custom("cwl.goal", [words]),
	];
}

function message(said: HostMessage): EntryBody {
	return { type: "message", message: said };
}

function custom(customType: string, content: string | make.ContentBlock[]): EntryBody {
	return { type: "custom_message", customType, content, display: false };
}
