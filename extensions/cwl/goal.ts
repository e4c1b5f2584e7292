/** Goal, active task and constraints reach the model at the tail, and again whenever they changed or the message that carried them has left. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { dueStateText, frame, OUR_MESSAGES } from "#pi";
import type { Runtime } from "./state/runtime.ts";

const GOAL_MESSAGE = `${OUR_MESSAGES}goal`;

export function registerGoal(pi: ExtensionAPI, runtime: Runtime) {
	/** The text to append now, "" while the model sees the current goal. */
	async function due(ctx: ExtensionContext): Promise<string> {
		if (!runtime.settings.isEnabled) return "";
		const told = await runtime.injected.visible(ctx);
		const text = dueStateText(runtime.settings.goal(), runtime.settings.state(), told.goal);
		if (text === "") return "";
		told.goal = text;
		return frame(runtime.injected.mark(ctx), "goal", text);
	}

	pi.on("before_agent_start", async (_event, ctx) => {
		const content = await due(ctx);
		return content === "" ? undefined : { message: { customType: GOAL_MESSAGE, content, display: false } };
	});
	pi.on("tool_result", async (event, ctx) => {
		const text = await due(ctx);
		return text === "" ? undefined : { content: [...event.content, { type: "text", text }] };
	});
}
