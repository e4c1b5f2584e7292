import { expect, test } from "vitest";
import { DESCRIPTION_ENTRY, PIN_ENTRY, STEERING_ENTRY } from "#pi/session";
import { openHost } from "../test-support/host-context.ts";
import { createEntryLog } from "./entry-log.ts";

test("a decision holds at once, and is on the branch", () => {
	const host = openHost();
	const log = createEntryLog(host.pi);
	log.write(host.ctx, PIN_ENTRY, { episode: "fix", isPinned: true });
	expect([...log.decided().pinned]).toEqual(["fix"]);
	expect(host.entries()).toEqual([PIN_ENTRY]);
	expect(createEntryLog(host.pi).restore(host.ctx).pinned).toEqual(new Set(["fix"]));
});

test("entries that the disk refuses hold in memory, are reported once until one is written, and are written in their order once it takes them", () => {
	const host = openHost();
	const log = createEntryLog(host.pi);
	host.disk.isFull = true;
	log.write(host.ctx, PIN_ENTRY, { episode: "fix", isPinned: true });
	log.write(host.ctx, STEERING_ENTRY, { policy: "paper" });
	expect(log.decided()).toMatchObject({ pinned: new Set(["fix"]), steering: { policy: "paper" } });
	expect(host.entries()).toEqual([]);
	log.note(host.ctx, "cwl.zone", {});
	const notes = host.notes.mock.calls.map(([text]) => text);
	expect(notes).toEqual([expect.stringMatching(/^cwl: the session file cannot be kept whole \(ENOSPC\)/)]);
	host.disk.isFull = false;
	log.write(host.ctx, DESCRIPTION_ENTRY, { episode: "fix", text: "it is in a.ts" });
	expect(host.entries()).toEqual([PIN_ENTRY, STEERING_ENTRY, "cwl.zone", DESCRIPTION_ENTRY]);
	log.retry(host.ctx);
	expect(host.entries()).toHaveLength(4);
	expect(host.notes).toHaveBeenCalledTimes(1);
	host.disk.isFull = true;
	log.note(host.ctx, "cwl.zone", {});
	expect(host.notes).toHaveBeenCalledTimes(2);
});

test("what was refused on one branch is not written on another", () => {
	const host = openHost();
	const log = createEntryLog(host.pi);
	host.disk.isFull = true;
	log.write(host.ctx, PIN_ENTRY, { episode: "fix", isPinned: true });
	host.disk.isFull = false;
	expect(log.restore(host.ctx).pinned.size).toBe(0);
	log.retry(host.ctx);
	expect(host.entries()).toEqual([]);
});
