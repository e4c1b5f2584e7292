/** Replays the sessions of a run, in this thread or in threads of their own. */
import { once } from "node:events";
import { type MessagePort, Worker } from "node:worker_threads";
import { type Job, type JobOutcome, replayJob } from "./jobs.ts";
import { openReplay, type ReplaySettings, type ReplaySetup } from "./setup.ts";

/** Replays jobs, one at a time. */
export interface Runner {
	/** Resolves early, without a replay, when the runner is stopped. */
	run(job: Job): Promise<JobOutcome>;
	stop(): void;
	close(): Promise<void>;
}

/** A runner in this thread. */
export function createLocalRunner(setup: ReplaySetup): Runner {
	const interrupt = new AbortController();
	return {
		run: (job) => replayJob(job, setup, interrupt.signal),
		stop: () => interrupt.abort(),
		close: async () => {},
	};
}

/** A message from a runner to its thread; each job is answered by its outcome. */
type ThreadOrder = { readonly type: "run"; readonly job: Job } | { readonly type: "stop" };

/** A runner in a thread of its own, which has its own token counter and one session in memory. */
export function createThreadRunner(settings: ReplaySettings): Runner {
	const thread = new Worker(new URL("./runner-thread.mjs", import.meta.url), { workerData: settings });
	const say = (order: ThreadOrder) => thread.postMessage(order);
	return {
		async run(job) {
			const answered = once(thread, "message");
			say({ type: "run", job });
			const [outcome]: JobOutcome[] = await answered;
			return outcome ?? { replay: undefined, damage: [], problems: [] };
		},
		stop: () => say({ type: "stop" }),
		close: async () => void (await thread.terminate()),
	};
}

/** The other end of a thread runner: answers each job with its outcome until the thread is ended. */
export async function serveJobs(port: MessagePort, settings: ReplaySettings): Promise<void> {
	// Orders that come early wait for the setup.
	const runner = openReplay(settings).then(createLocalRunner);
	port.on("message", async (order: ThreadOrder) => {
		if (order.type === "stop") (await runner).stop();
		else port.postMessage(await (await runner).run(order.job));
	});
	await runner;
}
