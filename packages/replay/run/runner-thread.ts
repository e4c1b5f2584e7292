/** The other end of a thread runner. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createLocalRunner, type ThreadOrder } from "./runner.ts";
import { openReplay } from "./setup.ts";

/** Answer each job with its outcome until the thread is ended. Orders that come early wait for the lab. */
async function serveJobs(port: MessagePort): Promise<void> {
	const runner = openReplay(workerData).then(createLocalRunner);
	port.on("message", async (order: ThreadOrder) => {
		if (order.type === "stop") (await runner).stop();
		else port.postMessage(await (await runner).run(order.job));
	});
	await runner;
}

if (parentPort) await serveJobs(parentPort);
