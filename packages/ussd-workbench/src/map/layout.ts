import { Graph, layout } from '@dagrejs/dagre';
import type { UssdMappedFlow } from '@mlango/schemas/ussd-flow-map';

type Screen = UssdMappedFlow['screens'][number];
type Way = UssdMappedFlow['ways'][number];

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface DrawnScreen extends Screen, Point {}

export interface DrawnWay extends Way {
  readonly points: readonly Point[];
  /** The centre of the label. */
  readonly label: Point;
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly screens: readonly DrawnScreen[];
  readonly ways: readonly DrawnWay[];
}

/** Size of a screen in px. */
export const screenSize = { width: 168, height: 50 } as const;
/** Above this number of screens the exact ranking would take seconds. */
const exactRankingLimit = 120;
const labelSize = { width: 104, height: 14 } as const;

/** Places the screens of a flow in ranks from top to bottom and routes the edges between them. Pure. */
export function layOut({ screens, ways }: UssdMappedFlow): Drawing {
  const graph = new Graph({ directed: true });
  graph.setGraph({
    rankdir: 'TB',
    ranker: screens.length > exactRankingLimit ? 'tight-tree' : 'network-simplex',
    nodesep: 24,
    edgesep: 14,
    ranksep: 34,
    marginx: 12,
    marginy: 12,
  });
  for (const { screen } of screens) graph.setNode(screen, { ...screenSize });
  // An edge from a screen to itself is listed in the screen card.
  const drawn = ways.filter(({ from, to }) => from !== to);
  for (const { from, to, people } of drawn) {
    graph.setEdge(from, to, people === 0 ? {} : { ...labelSize, labelpos: 'c' });
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    ...{ width: Math.ceil(width), height: Math.ceil(height) },
    screens: screens.map((screen) => ({ ...screen, ...pointOf(graph.node(screen.screen)) })),
    ways: drawn.map((way) => {
      const edge = graph.edge(way.from, way.to) as { points?: readonly Point[]; x?: number; y?: number };
      return { ...way, points: edge.points ?? [], label: pointOf(edge) };
    }),
  };
}

function pointOf({ x = 0, y = 0 }: { x?: number | undefined; y?: number | undefined }): Point {
  return { x: Math.round(x), y: Math.round(y) };
}
