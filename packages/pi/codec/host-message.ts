import type { ContextEvent } from "@mariozechner/pi-coding-agent";

/** A message as pi hands it to an extension before a request: pi-ai's own kinds and the coding agent's additions. */
export type HostMessage = ContextEvent["messages"][number];

/** A message of the model. */
export type Answer = HostMessage & { readonly role: "assistant" };
export type ToolResult = HostMessage & { readonly role: "toolResult" };
export type Image = Extract<ToolResult["content"][number], { readonly type: "image" }>;
