/** Names beside points, placed so that they do not cover each other or a point. */

export interface LabelledPoint {
	readonly text: string;
	readonly x: number;
	readonly y: number;
}

export interface PlacedLabel extends LabelledPoint {
	readonly anchor: "start" | "end" | "middle";
}

interface Box {
	readonly left: number;
	readonly right: number;
	readonly top: number;
	readonly bottom: number;
}

/** Of a letter and of a line in the charts' type, in pixels, and the room that a point takes. */
const LETTER = 6.6;
const LINE = 13;
const POINT = 8;

/** Tries right, left, above and below at growing distances; what finds no room stands right all the same. */
export function placeLabels(points: readonly LabelledPoint[], bounds: Box): readonly PlacedLabel[] {
	const taken: Box[] = points.map(({ x, y }) => ({
		...{ left: x - POINT, right: x + POINT, top: y - POINT, bottom: y + POINT },
	}));
	return points.map((point) => {
		const tries = candidates(point);
		const free = tries.find((label) => {
			const box = boxOf(label);
			const isInside = box.left >= bounds.left && box.right <= bounds.right && box.top >= bounds.top - LINE;
			return isInside && box.bottom <= bounds.bottom && !taken.some((other) => overlaps(box, other));
		});
		const label = free ?? { ...point, x: point.x + POINT + 2, y: point.y + 4, anchor: "start" as const };
		taken.push(boxOf(label));
		return label;
	});
}

function candidates(point: LabelledPoint): readonly PlacedLabel[] {
	const { x, y } = point;
	return [0, 9, 18, 27].flatMap((away): readonly PlacedLabel[] => [
		{ ...point, x: x + POINT + 2, y: y + 4 - away, anchor: "start" },
		{ ...point, x: x + POINT + 2, y: y + 4 + away, anchor: "start" },
		{ ...point, x: x - POINT - 2, y: y + 4 - away, anchor: "end" },
		{ ...point, x: x - POINT - 2, y: y + 4 + away, anchor: "end" },
		{ ...point, y: y - POINT - 4 - away, anchor: "middle" },
		{ ...point, y: y + POINT + LINE + away, anchor: "middle" },
	]);
}

function boxOf({ text, x, y, anchor }: PlacedLabel): Box {
	const width = LETTER * text.length;
	const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
	return { left, right: left + width, top: y - LINE + 3, bottom: y + 3 };
}

function overlaps(a: Box, b: Box): boolean {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
