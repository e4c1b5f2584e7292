import { expect, test } from "vitest";
import { bareReport, closedExpl } from "../../pi/test-support/state-report.ts";
import { drawPanel } from "./album.ts";

const episode = { ...closedExpl, name: "find <b> & more" };

test("the picture shows the lines of the panel, in light and dark colors, and escapes names", () => {
	const picture = drawPanel({ ...bareReport, episodes: [episode] }, { columns: 104, lines: 34 });
	expect(picture).toContain("> Context Window Lifecycle </text>");
	expect(picture).toContain("find &lt;b&gt; &amp; more");
	expect(picture).toContain("MOST is 7");
	expect(picture).toContain("@media (prefers-color-scheme: dark)");
	expect(picture).not.toMatch(/NaN|undefined|<script|href/);
});
