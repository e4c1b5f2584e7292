import { expect, test } from "vitest";
import { createSettingsFiles, load } from "../test-support/settings-files.ts";
import { formatBudget } from "./budget.ts";

test("only the user says where figures are sent to: a project that tries is told off", () => {
	const files = createSettingsFiles();
	files.writeProject('{"cwl": {"otlpEndpoint": "http://collector.example:4318", "budget": "20k"}}');
	const { settings, problems } = load(files);
	expect(settings.otlpEndpoint).toBe("");
	expect(formatBudget(settings.budget)).toBe("20k");
	expect(problems).toEqual([
		`${files.projectFile}: cwl.otlpEndpoint is not for a project to set; set it in ${files.globalFile} or the environment.`,
	]);
	files.writeGlobal('{"cwl": {"otlpEndpoint": "http://127.0.0.1:4318/"}}');
	expect(load(files).settings.otlpEndpoint).toBe("http://127.0.0.1:4318");
});

test("the standard variable names an endpoint, and our own has the last word", () => {
	const files = createSettingsFiles();
	const endpointOf = (environment: Record<string, string>) => {
		const { settings, origins, problems } = load(files, { environment });
		expect(problems).toEqual([]);
		return [settings.otlpEndpoint, origins.otlpEndpoint];
	};
	const standard = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example/otlp/" };
	expect(endpointOf(standard)).toEqual([
		"https://collector.example/otlp",
		"environment OTEL_EXPORTER_OTLP_ENDPOINT",
	]);
	expect(endpointOf({ ...standard, CWL_OTLP_ENDPOINT: "none" })).toEqual([
		"",
		"environment CWL_OTLP_ENDPOINT",
	]);
});

test.each(["collector:4318", "ftp://collector", 4318, "http://me:secret@collector:4318"])(
	"an endpoint of %j is refused without showing a password",
	(otlpEndpoint) => {
		const files = createSettingsFiles();
		files.writeGlobal(JSON.stringify({ cwl: { otlpEndpoint } }));
		const { settings, problems } = load(files);
		expect(settings.otlpEndpoint).toBe("");
		expect(problems).toEqual([expect.stringMatching(/otlpEndpoint (is|has)/)]);
		expect(problems.join()).not.toContain("secret");
	},
);
