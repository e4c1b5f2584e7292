/** Loaded after the extension under test: reports its time in ms and the heap in bytes as a status line. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

export default function probeEnd(pi: ExtensionAPI) {
	pi.on("context", (_event, ctx) => {
		const ms = performance.now() - Number(process.env.CWL_BENCH_BEGUN);
		const heap = process.memoryUsage().heapUsed;
		ctx.ui.setStatus("cwl-bench", JSON.stringify({ ms, heap, history: 0 }));
		return undefined;
	});
}
