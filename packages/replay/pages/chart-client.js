// @ts-nocheck: runs in the page, where Chart.js is a global.
/* Draws the charts of a page with Chart.js, from the data next to each canvas. Nothing is loaded. */
(() => {
	const style = getComputedStyle(document.documentElement);
	const color = (name) =>
		style.getPropertyValue(typeof name === "number" ? `--c${name % 8}` : `--${name}`).trim();
	const dashes = [[], [6, 3], [2, 2]];
	const shapes = ["circle", "rectRot", "triangle", "rect"];
	const turn = (number, list) => list[Math.floor(number / 8) % list.length];
	const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
	const write = {
		tokens: (value) => short.format(value).replace("K", "k"),
		request: (value) => String(value),
		percent: (value) => (value > 1 ? "" : `${Number((100 * value).toFixed(1))} %`),
		dollars: (value) => `$${value < 1 ? Number(value.toFixed(4)) : value.toFixed(2)}`,
		ratio: (value) => `${Number(value.toPrecision(3))}`,
		plain: (value) => short.format(value),
	};

	/** How each style of a data set is drawn. */
	const styles = {
		line: (c, set) => ({
			borderColor: c,
			borderWidth: 1.7,
			borderDash: turn(set.color, dashes),
			pointRadius: 0,
		}),
		area: (c) => ({
			borderColor: color("panel"),
			borderWidth: 0.5,
			backgroundColor: c,
			fill: true,
			stepped: "middle",
			pointRadius: 0,
		}),
		points: (c, set) => ({
			showLine: false,
			backgroundColor: c,
			borderColor: color("panel"),
			pointStyle: turn(set.color, shapes),
			pointRadius: set.isAdvised ? 9 : 6,
			pointHoverRadius: set.isAdvised ? 11 : 8,
		}),
		limit: (c) => ({ borderColor: c, borderWidth: 1.4, borderDash: [6, 4], pointRadius: 0 }),
		bar: (c) => ({ type: "bar", backgroundColor: c }),
		outline: (c) => ({
			type: "bar",
			backgroundColor: "transparent",
			borderColor: c,
			borderWidth: 1,
			borderSkipped: false,
		}),
	};
	/** Elements that the pointer or the arrow keys can select. */
	const isValue = ({ set }) => set.style !== "limit";

	function dataOf({ data, style: drawn }) {
		if (drawn === "bar" || drawn === "outline") return data.map(([x, y, hint]) => ({ x, y, hint }));
		return data.map((point, i) =>
			typeof point === "number" ? { x: i, y: point } : { x: point[0], y: point[1], hint: point[2] },
		);
	}

	function axis(spec, isX, chart) {
		const { unit, isLog, names } = spec;
		return {
			type: isLog ? "logarithmic" : names && !isX ? "category" : "linear",
			...(names && !isX && { labels: names.map((_, i) => i), offset: true }),
			title: { display: isX, text: titleOf(spec), color: color("soft") },
			grid: { color: color("rule") },
			border: { color: color("rule") },
			stacked: !isX && chart.sets.some((set) => set.style === "area"),
			beginAtZero: !isLog && unit !== "percent",
			grace: unit === "percent" ? "8%" : 0,
			...(isX &&
				unit === "request" && {
					max: Math.max(
						1,
						...chart.sets.flatMap((set) => dataOf(set).map(({ x }) => (Array.isArray(x) ? x[1] : x))),
					),
				}),
			...(isLog && { afterDataLimits: widen, afterBuildTicks: buildLogTicks }),
			ticks: {
				color: color("soft"),
				font: { size: 11 },
				maxRotation: 0,
				autoSkip: !names,
				autoSkipPadding: 14,
				includeBounds: false,
				callback(value) {
					if (!names) return write[unit](value);
					const most = this.chart.width < 600 ? 14 : 32;
					const name = names[value] ?? "";
					return name.length > most ? `${name.slice(0, most - 1)}\u2026` : name;
				},
			},
		};
	}

	/** Distances on a log axis are ratios, which nobody expects who is not told. */
	const titleOf = ({ title, isLog }) => (isLog ? `${title} (log scale)` : title);

	/** Room on both sides, so that no point lies on the edge. */
	function widen(scale) {
		scale.min /= (scale.max / scale.min) ** 0.06 * 1.02;
		scale.max *= (scale.max / scale.min) ** 0.06 * 1.02;
	}

	function buildLogTicks(scale) {
		const steps =
			scale.max / scale.min < 2
				? [1, 1.1, 1.2, 1.3, 1.4, 1.6, 1.8, 2, 2.5, 3, 4, 5, 6, 7, 8, 9]
				: scale.max / scale.min < 20
					? [1, 1.5, 2, 3, 4, 5, 6, 8]
					: [1, 2, 5];
		const ticks = [];
		for (let decade = 10 ** Math.floor(Math.log10(scale.min)); decade <= scale.max; decade *= 10) {
			for (const step of steps)
				if (step * decade >= scale.min && step * decade <= scale.max) ticks.push({ value: step * decade });
		}
		scale.ticks = ticks;
	}

	const isInside = ([l, t, r, b], area) =>
		l >= area.left && r <= area.right && t >= area.top && b <= area.bottom;
	const overlaps = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

	/**
	 * Names next to points, where there is room; the others are shown when their point is selected. The advised point has the
	 * first choice of places, and a name in any case.
	 */
	const labels = {
		id: "names",
		afterDatasetsDraw(chart) {
			const { ctx, chartArea: area } = chart;
			const named = chart.data.datasets.flatMap((set, i) =>
				set.set.style === "points" && chart.isDatasetVisible(i)
					? chart
							.getDatasetMeta(i)
							.data.map(({ x, y }) => ({ text: set.label, isAdvised: set.set.isAdvised, x, y }))
					: [],
			);
			named.sort((a, b) => Number(b.isAdvised === true) - Number(a.isAdvised === true));
			const taken = named.map(({ x, y }) => [x - 8, y - 8, x + 8, y + 8]);
			ctx.save();
			ctx.textBaseline = "middle";
			for (const { text, isAdvised, x, y } of named) {
				ctx.font = `${isAdvised ? "600 " : ""}12px ${Chart.defaults.font.family}`;
				const wide = ctx.measureText(text).width;
				const tries = [0, 11, 20].flatMap((away) => [
					[x + 10, y - away],
					[x + 10, y + away],
					[x - 10 - wide, y - away],
					[x - 10 - wide, y + away],
					[x - wide / 2, y - 15 - away],
					[x - wide / 2, y + 15 + away],
				]);
				const boxes = tries.map(([left, middle]) => [left - 2, middle - 8, left + wide + 2, middle + 8]);
				const isFree = (others) => (box) =>
					isInside(box, area) && !others.some((other) => overlaps(box, other));
				const box = boxes.find(isFree(taken)) ?? (isAdvised && boxes.find(isFree([])));
				if (!box) continue;
				taken.push(box);
				ctx.fillStyle = color("panel");
				ctx.fillRect(box[0], box[1], box[2] - box[0], box[3] - box[1]);
				ctx.fillStyle = color("ink");
				ctx.fillText(text, box[0] + 2, (box[1] + box[3]) / 2);
			}
			ctx.restore();
		},
	};

	/** A dotted line down from a triangle at each marked request. */
	const marks = {
		id: "marks",
		afterDatasetsDraw({ ctx, chartArea: { top, bottom }, scales, spec }) {
			ctx.save();
			ctx.strokeStyle = ctx.fillStyle = color("ink");
			ctx.globalAlpha = 0.75;
			for (const { x } of spec.marks ?? []) {
				const at = scales.x.getPixelForValue(x);
				ctx.setLineDash([2, 3]);
				ctx.beginPath();
				ctx.moveTo(at, top);
				ctx.lineTo(at, bottom);
				ctx.stroke();
				ctx.setLineDash([]);
				ctx.beginPath();
				ctx.moveTo(at - 4, top - 6);
				ctx.lineTo(at + 4, top - 6);
				ctx.lineTo(at, top + 1);
				ctx.fill();
			}
			ctx.restore();
		},
	};

	/** Curves from the end of one bar to the beginning of another. */
	const links = {
		id: "links",
		beforeDatasetsDraw({ ctx, scales: { x, y }, spec, data }) {
			const ranges = data.datasets[0]?.data ?? [];
			ctx.save();
			ctx.strokeStyle = color("soft");
			ctx.globalAlpha = 0.5;
			for (const [from, to] of spec.links ?? []) {
				const x1 = x.getPixelForValue(ranges[from].x[1]);
				const x2 = x.getPixelForValue(ranges[to].x[0]);
				const y1 = y.getPixelForValue(from);
				const y2 = y.getPixelForValue(to);
				const bend = Math.max(14, Math.abs(x2 - x1) / 2);
				ctx.beginPath();
				ctx.moveTo(x1, y1);
				ctx.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
				ctx.stroke();
			}
			ctx.restore();
		},
	};

	function draw(holder) {
		const spec = JSON.parse(holder.dataset.chart);
		const isBars = spec.sets.some((set) => set.style === "outline");
		const datasets = spec.sets.map((set) => ({
			label: set.name,
			set,
			data: dataOf(set),
			stack: set.style === "area" ? "area" : set.name,
			order: set.isAdvised ? -1 : set.style === "area" ? 1 : 0,
			grouped: false,
			hidden: set.isHidden === true,
			...styles[set.style](color(set.color), set),
		}));
		const legend = {
			align: "start",
			labels: {
				usePointStyle: true,
				boxHeight: 7,
				padding: 12,
				color: color("ink"),
				filter: ({ datasetIndex }) => spec.sets[datasetIndex].style !== "outline",
				generateLabels: (made) =>
					Chart.defaults.plugins.legend.labels.generateLabels(made).map((label) => {
						const { style } = spec.sets[label.datasetIndex];
						const pointStyle =
							style === "points" ? label.pointStyle : ["area", "bar"].includes(style) ? "rect" : "line";
						// A hidden set is grey and hollow: a name that is struck through reads like a mistake.
						const off = { fillStyle: "transparent", fontColor: color("soft"), hidden: false };
						return { ...label, pointStyle, ...(label.hidden && off) };
					}),
			},
		};
		const tooltip = {
			filter: ({ dataset }) => isValue(dataset),
			callbacks: {
				title: ([item]) => (spec.hover === "request" && item ? `request ${item.parsed.x}` : ""),
				label: ({ dataset, raw }) =>
					raw.hint?.split("\n") ?? `${dataset.label}: ${write[spec.y.unit](raw.y)}`,
				footer: ([item]) =>
					item ? (spec.marks ?? []).filter(({ x }) => x === item.parsed.x).map(({ text }) => text) : [],
			},
		};
		return new Chart(holder.firstElementChild, {
			type: isBars ? "bar" : "line",
			data: { datasets },
			options: {
				indexAxis: isBars ? "y" : "x",
				animation: false,
				maintainAspectRatio: false,
				layout: { padding: { top: 8, right: 8 } },
				interaction:
					spec.hover === "request"
						? { mode: "index", intersect: false }
						: { mode: "nearest", intersect: true },
				plugins: { legend, tooltip },
				scales: { x: axis(spec.x, true, spec), y: axis(spec.y, false, spec) },
			},
			plugins: [{ id: "spec", beforeInit: (made) => Object.assign(made, { spec }) }, links, marks, labels],
		});
	}

	/** Arrow keys go from value to value, Page Up and Page Down from mark to mark; what is shown is read out. */
	function followKeys(chart, holder) {
		let place = -1;
		const isRequests = chart.spec.hover === "request";
		const visible = () =>
			chart.data.datasets.flatMap((set, i) =>
				isValue(set) && chart.isDatasetVisible(i)
					? set.data.map((point, index) => ({
							datasetIndex: i,
							index,
							x: Array.isArray(point.x) ? point.y : point.x,
						}))
					: [],
			);
		const stopsOf = (all) =>
			isRequests
				? [...new Set(all.map(({ x }) => x))]
						.sort((a, b) => a - b)
						.map((x) => all.filter((each) => each.x === x))
				: all.toSorted((a, b) => a.x - b.x).map((each) => [each]);
		const show = (active) => {
			const at = active[0] && chart.getDatasetMeta(active[0].datasetIndex).data[active[0].index];
			chart.setActiveElements(active);
			chart.tooltip.setActiveElements(active, { x: at?.x ?? 0, y: at?.y ?? 0 });
			chart.update();
			const { title = [], body = [], footer = [] } = active.length > 0 ? chart.tooltip : {};
			holder.parentElement.querySelector(".spoken").textContent = [
				...title,
				...body.flatMap(({ lines }) => lines),
				...footer,
			].join(", ");
		};
		const canvas = holder.firstElementChild;
		// A pointer shows the value under it; the keyboard begins with the last value it was at.
		canvas.onfocus = () => {
			const stops = stopsOf(visible());
			if (stops.length === 0 || !canvas.matches(":focus-visible")) return;
			place = Math.min(Math.max(place, 0), stops.length - 1);
			show(stops[place]);
		};
		canvas.onkeydown = (event) => {
			const stops = stopsOf(visible());
			const marked = (chart.spec.marks ?? []).map(({ x }) => stops.findIndex(([first]) => first.x === x));
			const moves = {
				ArrowRight: () => place + 1,
				ArrowLeft: () => place - 1,
				Home: () => 0,
				End: () => stops.length - 1,
				PageDown: () => marked.find((at) => at > place) ?? place,
				PageUp: () => marked.findLast((at) => at < place) ?? place,
			};
			if (!moves[event.key] || stops.length === 0) return;
			event.preventDefault();
			place = Math.min(Math.max(moves[event.key](), 0), stops.length - 1);
			show(stops[place]);
		};
		canvas.onblur = () => show([]);
	}

	let charts = [];
	function drawAll() {
		for (const chart of charts) chart.destroy();
		Object.assign(Chart.defaults.font, { family: getComputedStyle(document.body).fontFamily, size: 12 });
		charts = [...document.querySelectorAll("[data-chart]")].map((holder) => {
			const chart = draw(holder);
			followKeys(chart, holder);
			return chart;
		});
	}
	drawAll();
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
})();
