import { Graph, layout } from '@dagrejs/dagre';
import type { UssdMappedFlow } from '@mlango/schemas/ussd-flow-map';

type Screen = UssdMappedFlow['screens'][number];
type Way = UssdMappedFlow['ways'][number];

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface DrawnScreen extends Screen, Point {
  readonly isStart: boolean;
  /** Screens that follow without a line: earlier ones, and those of the same row. */
  readonly alsoTo: readonly string[];
}

export interface DrawnWay extends Way {
  /** An SVG path from the lower edge of a screen to the upper edge of one in the next row. */
  readonly path: string;
  /** Left end and middle of the label, which is to the right of the line. */
  readonly label: Point;
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly screens: readonly DrawnScreen[];
  readonly ways: readonly DrawnWay[];
}

/** Size of a screen in px. */
export const screenSize = { width: 176, height: 76 } as const;
export const labelSize = { width: 92, height: 16 } as const;
/** Space between a line and its label. */
export const labelGap = 6;
/** The ends of lines are at least this far from the corners of a screen. */
const cornerGap = 16;
/** Above this number of screens the exact ranking would take seconds. */
const exactRankingLimit = 120;

/**
 * Places the screens of a flow in rows, the start on top: a screen is one row below the first screen that leads to it. Lines lead
 * from a row to the next one only, so that no line passes around others; all other transitions are listed in their screen. Pure.
 */
export function layOut({ start, screens, ways }: UssdMappedFlow): Drawing {
  const rows = rowsOf(start, screens, ways);
  const rowOf = (screen: string) => rows.get(screen) ?? 0;
  const isLine = ({ from, to, kind }: Way) => kind === 'written' && rowOf(to) === rowOf(from) + 1;
  const lines = ways.filter(isLine);

  const graph = new Graph({ directed: true });
  graph.setGraph({
    rankdir: 'TB',
    ranker: screens.length > exactRankingLimit ? 'tight-tree' : 'network-simplex',
    nodesep: 20,
    edgesep: 12,
    ranksep: 52,
    marginx: 12,
    marginy: 22,
  });
  for (const { screen } of screens) graph.setNode(screen, { ...screenSize });
  for (const { from, to, people } of lines) {
    const width = people === 0 ? 1 : labelSize.width;
    graph.setEdge(from, to, { width, height: labelSize.height, labelpos: 'r', labeloffset: labelGap });
  }
  // A screen that no line leads to is held in its row by the start.
  const reached = new Set(lines.map(({ to }) => to));
  for (const { screen } of screens) {
    if (screen !== start && !reached.has(screen)) graph.setEdge(start, screen, { minlen: rowOf(screen), weight: 0 });
  }
  layout(graph);

  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const centreOf = (screen: string) => pointOf(graph.node(screen));
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    screens: screens.map((screen) => ({
      ...screen,
      ...centreOf(screen.screen),
      isStart: screen.screen === start,
      alsoTo: ways
        .filter((way) => way.from === screen.screen && way.to !== way.from && !isLine(way))
        .map(({ to }) => to),
    })),
    ways: lines.map((way) => {
      const middle = middleOf(way);
      const startX = endOf(
        way,
        lines.filter(({ from }) => from === way.from),
        centreOf(way.from).x,
      );
      const endX = endOf(
        way,
        lines.filter(({ to }) => to === way.to),
        centreOf(way.to).x,
      );
      return {
        ...way,
        path: pathOf({ ...centreOf(way.from), x: startX }, middle, { ...centreOf(way.to), x: endX }),
        label: { x: middle.x + labelGap, y: middle.y },
      };
    }),
  };

  function middleOf({ from, to }: Way): Point {
    const { points = [] } = graph.edge(from, to) as { points?: readonly Point[] };
    return pointOf(points[Math.floor(points.length / 2)] ?? {});
  }

  /** Where a line meets its screen: lines of one side are spread in the order of their middles, so that they do not cross. */
  function endOf(way: Way, side: readonly Way[], centre: number): number {
    const place = side.filter((other) => middleOf(other).x < middleOf(way).x).length;
    const step = Math.min(24, (screenSize.width - 2 * cornerGap) / Math.max(1, side.length - 1));
    return Math.round(centre + (place - (side.length - 1) / 2) * step);
  }
}

/** The row of each screen: its distance from the start. A screen that nothing leads to is below the start. */
function rowsOf(start: string, screens: readonly Screen[], ways: readonly Way[]): ReadonlyMap<string, number> {
  const rows = new Map([[start, 0]]);
  const follow = (first: string): void => {
    const queue = [first];
    // The queue grows while it is read.
    for (const from of queue) {
      for (const { to } of ways.filter((way) => way.from === from && way.kind === 'written')) {
        if (rows.has(to)) continue;
        rows.set(to, (rows.get(from) ?? 0) + 1);
        queue.push(to);
      }
    }
  };
  follow(start);
  const targets = new Set(ways.filter(({ from, to }) => from !== to).map(({ to }) => to));
  const others = screens
    .map(({ screen }) => screen)
    .toSorted((a, b) => Number(targets.has(a)) - Number(targets.has(b)));
  for (const screen of others) {
    if (rows.has(screen)) continue;
    rows.set(screen, 1);
    follow(screen);
  }
  return rows;
}

/** A line that is vertical next to its label and at both ends. */
function pathOf(from: Point, middle: Point, to: Point): string {
  const startY = from.y + screenSize.height / 2;
  const endY = to.y - screenSize.height / 2;
  const [labelTop, labelBottom] = [middle.y - labelSize.height / 2, middle.y + labelSize.height / 2];
  const above = (startY + labelTop) / 2;
  const below = (labelBottom + endY) / 2;
  return [
    `M${from.x} ${startY}C${from.x} ${above} ${middle.x} ${above} ${middle.x} ${labelTop}`,
    `V${labelBottom}C${middle.x} ${below} ${to.x} ${below} ${to.x} ${endY}`,
  ].join('');
}

function pointOf({ x = 0, y = 0 }: { x?: number | undefined; y?: number | undefined }): Point {
  return { x: Math.round(x), y: Math.round(y) };
}
