/** A session of pi in memory with its real context, and as much of pi's extension API as the state modules use. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { createExtensionRuntime, ExtensionRunner, SessionManager } from "@mariozechner/pi-coding-agent";
import { vi } from "vitest";

export function openHost() {
	const manager = SessionManager.inMemory();
	const registry: ConstructorParameters<typeof ExtensionRunner>[4] = Object.create(null);
	const ctx = new ExtensionRunner([], createExtensionRuntime(), "/", manager, registry).createContext();
	const events: { readonly name: string; readonly data: unknown }[] = [];
	/** True while the disk refuses entries, as newer hosts report it: the entry is taken back. */
	const disk = { isFull: false };
	const pi = {
		appendEntry(type: string, data: unknown) {
			if (disk.isFull) throw new Error("ENOSPC");
			manager.appendCustomEntry(type, data);
		},
		events: { emit: (name: string, data: unknown) => events.push({ name, data }) },
		getFlag: () => undefined,
		on: vi.fn(),
	};
	const notes = vi.spyOn(process.stderr, "write").mockReturnValue(true);
	return {
		manager,
		ctx,
		events,
		disk,
		notes,
		/** The rest of the API is not there: a test that reaches for it fails. */
		pi: pi as unknown as ExtensionAPI,
		/** The types of our entries on the branch, oldest first. */
		entries: () =>
			manager.getBranch().flatMap((entry) => (entry.type === "custom" ? [entry.customType] : [])),
	};
}
