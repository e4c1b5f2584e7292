// @ts-nocheck: runs in the page, where Chart.js is a global.
/* Draws the charts of a page with Chart.js, from the data next to each canvas. Nothing is loaded. */
(() => {
	const style = getComputedStyle(document.documentElement);
	const color = (name) =>
		style.getPropertyValue(typeof name === "number" ? `--c${name % 8}` : `--${name}`).trim();
	/** The first eight colors are told apart from the next eight by dashes and shapes. */
	const turn = (number, list) => list[Math.floor(number / 8) % list.length];
	const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
	const write = {
		tokens: (value) => short.format(value).replace("K", "k"),
		// Numbers count from 0, and readers from 1.
		request: (value) => String(value + 1),
		percent: (value) => `${Number((100 * value).toFixed(1))} %`,
		dollars: (value) => {
			const digits = { minimumFractionDigits: 2, maximumFractionDigits: value < 1 ? 4 : 2 };
			return `$${value.toLocaleString("en", digits)}`;
		},
		ratio: (value) => `${Number(value.toPrecision(3))}`,
	};

	/** How each style of a data set is drawn. */
	const styles = {
		line: (c, set) => ({
			borderColor: c,
			borderWidth: 1.7,
			borderDash: turn(set.color, [[], [6, 3], [2, 2]]),
			pointRadius: 0,
		}),
		area: (c) => ({ backgroundColor: c, fill: true, stepped: "middle", borderWidth: 0, pointRadius: 0 }),
		points: (c, set) => ({
			showLine: false,
			backgroundColor: c,
			pointStyle: turn(set.color, ["circle", "rectRot", "triangle", "rect"]),
			pointRadius: set.isAdvised ? 9 : 6,
			// A point at the end of an axis is whole.
			clip: false,
		}),
		limit: (c) => ({ borderColor: c, borderWidth: 1.4, borderDash: [6, 4], pointRadius: 0 }),
	};

	/** Six figures: an axis over the rest of a division would have ticks without room. */
	const exact = (value) => (value === null ? null : Number(value.toPrecision(6)));

	function dataOf({ data }) {
		return data.map((point, i) =>
			typeof point === "number"
				? { x: i, y: point }
				: { x: exact(point[0]), y: exact(point[1]), hint: point[2] },
		);
	}

	function axis({ title, unit }, isX, isStacked) {
		return {
			type: "linear",
			title: { display: isX, text: title, color: color("soft") },
			grid: { color: color("rule") },
			stacked: isStacked,
			bounds: unit === "request" ? "data" : "ticks",
			beginAtZero: unit !== "percent" && unit !== "ratio",
			grace: unit === "percent" || unit === "ratio" ? "8%" : 0,
			// No share is above 100 %.
			...(unit === "percent" && { max: 1 }),
			// The last request has a number of its own only where that stays apart from the one before.
			afterBuildTicks: ({ ticks }) => {
				const [first, before, last] = ticks.slice(-3).map(({ value }) => value);
				if (last - before < 0.7 * (before - first)) ticks.splice(-2, 1);
			},
			ticks: {
				color: color("soft"),
				font: { size: 11 },
				maxRotation: 0,
				callback: (value) => write[unit](value),
			},
		};
	}

	const LINE = 14;
	const isOver = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

	/** A free place for a text at a point: to its right or left, else over or under it, ever further away, at last at an edge. */
	function placeOf({ x, y }, width, area, taken) {
		const middle = Math.max(area.left, Math.min(x - width / 2, area.right - width));
		const last = (4 * (area.bottom - area.top)) / LINE;
		for (const lefts of [
			[x + 12, x - 12 - width, middle],
			[area.left, area.right - width],
		]) {
			for (let step = 0; step <= last; step += 1) {
				const top = y - LINE / 2 + (step % 2 === 0 ? -1 : 1) * Math.ceil(step / 2) * (LINE / 2);
				if (top < area.top || top + LINE > area.bottom) continue;
				for (const left of lefts) {
					const box = { left, right: left + width, top, bottom: top + LINE };
					const fits = left >= area.left && box.right <= area.right;
					if (fits && !taken.some((other) => isOver(box, other))) return box;
				}
			}
		}
		return { left: middle, right: middle + width, top: y, bottom: y + LINE };
	}

	/** The names of points, the advised one first, none over another or over a point. */
	function nameParts(chart) {
		const { ctx, chartArea, data } = chart;
		const points = data.datasets.flatMap(({ set }, i) => {
			if (set.style !== "points" || !chart.isDatasetVisible(i)) return [];
			return chart
				.getDatasetMeta(i)
				.data.slice(0, 1)
				.map(({ x, y }) => ({ set, x, y }));
		});
		const taken = points.map(({ x, y, set }) => {
			const radius = set.isAdvised ? 9 : 6;
			return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius };
		});
		ctx.textBaseline = "middle";
		for (const point of points.toSorted((a, b) => (b.set.isAdvised ? 1 : 0) - (a.set.isAdvised ? 1 : 0))) {
			const box = placeOf(point, ctx.measureText(point.set.name).width, chartArea, taken);
			taken.push(box);
			ctx.fillText(point.set.name, box.left, box.top + LINE / 2);
		}
	}

	/** The names of points, and a dotted line at each marked request. */
	const notes = {
		id: "notes",
		afterDatasetsDraw(chart) {
			const { ctx, chartArea, scales, spec } = chart;
			ctx.save();
			ctx.strokeStyle = ctx.fillStyle = color("ink");
			ctx.font = `12px ${Chart.defaults.font.family}`;
			nameParts(chart);
			ctx.setLineDash([2, 3]);
			for (const { x } of spec.marks ?? []) {
				const at = scales.x.getPixelForValue(x);
				ctx.beginPath();
				ctx.moveTo(at, chartArea.top);
				ctx.lineTo(at, chartArea.bottom);
				ctx.stroke();
			}
			ctx.restore();
		},
	};

	function draw(holder) {
		const spec = JSON.parse(holder.dataset.chart);
		const isStacked = spec.sets.some((set) => set.style === "area");
		const isOverRequests = spec.hover === "request";
		const datasets = spec.sets.map((set) => ({
			label: set.name,
			set,
			data: dataOf(set),
			stack: set.style === "area" ? "area" : set.name,
			hidden: set.isHidden === true,
			...styles[set.style](color(set.color), set),
		}));
		const legend = {
			align: "start",
			labels: {
				usePointStyle: true,
				boxHeight: 7,
				color: color("ink"),
				generateLabels: (made) =>
					Chart.defaults.plugins.legend.labels.generateLabels(made).map((label) => {
						// A hidden set is grey and hollow: a name that is struck through reads like a mistake.
						const off = { fillStyle: "transparent", fontColor: color("soft"), hidden: false };
						return { ...label, ...(label.hidden && off) };
					}),
			},
		};
		const tooltip = {
			filter: ({ dataset }) => dataset.set.style !== "limit",
			callbacks: {
				title: ([item]) => (isOverRequests && item ? `request ${write.request(item.parsed.x)}` : ""),
				label: ({ dataset, raw }) =>
					raw.hint?.split("\n") ?? `${dataset.label}: ${write[spec.y.unit](raw.y)}`,
				footer: ([item]) =>
					(spec.marks ?? []).filter(({ x }) => x === item?.parsed.x).map(({ text }) => text),
			},
		};
		return new Chart(holder.firstElementChild, {
			type: "line",
			data: { datasets },
			options: {
				animation: false,
				maintainAspectRatio: false,
				interaction: isOverRequests
					? { mode: "index", intersect: false }
					: { mode: "nearest", intersect: true },
				plugins: { legend, tooltip },
				scales: { x: axis(spec.x, true, false), y: axis(spec.y, false, isStacked) },
			},
			plugins: [{ id: "spec", beforeInit: (made) => Object.assign(made, { spec }) }, notes],
		});
	}

	let charts = [];
	function drawAll() {
		for (const chart of charts) chart.destroy();
		Object.assign(Chart.defaults.font, { family: getComputedStyle(document.body).fontFamily, size: 12 });
		charts = [...document.querySelectorAll("[data-chart]")].map(draw);
	}
	drawAll();
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
})();
