import { printTemplate, type Segment } from '@mlango/transcoder/template';
import { prefixOf } from './legacy-paths.js';
import type { Route } from './routes.js';

/** Paths that match nothing are the cheapest to send, so the work for one is bounded. */
const MAX_SEGMENTS = 8;
const MAX_SEGMENT_CHARACTERS = 24;
const CLOSE_ENOUGH = 0.6;
/** Maximum difference of a prefix from the first segment of a path. */
const SAME_PREFIX = 0.5;

/** The cost of an extra or missing segment; a replaced one costs up to 1. */
const GAP = 0.9;
const WILDCARD = 0.1;

/**
 * The current route most like an unmatched path, as text; `undefined` when none is similar. It is under the prefix of the
 * path: routes of other modules are not compared.
 */
export function findNearestRoute(routes: readonly Route[], path: string): string | undefined {
  const wanted = path
    .slice(0, 400)
    .split('/')
    .filter((segment) => segment !== '')
    .slice(0, MAX_SEGMENTS)
    .map((segment) => segment.slice(0, MAX_SEGMENT_CHARACTERS));
  const unlikeness = remembered(compareTexts);
  let best: { route: Route; distance: number } | undefined;
  for (const route of routesNear(routes, wanted[0] ?? '')) {
    const { segments } = route.template;
    const cost = (segment: Segment, text: string) =>
      segment.kind === 'literal' ? unlikeness(segment.text, text) : WILDCARD;
    const distance = editDistance(segments, wanted, GAP, cost);
    if (best === undefined || distance < best.distance) best = { route, distance };
  }
  if (best === undefined || best.distance > Math.max(1, wanted.length) * CLOSE_ENOUGH) return undefined;
  return printTemplate(best.route.template);
}

/** The current routes by prefix, and where those under a legacy prefix are now. */
interface RoutesByPrefix {
  readonly current: ReadonlyMap<string, readonly Route[]>;
  readonly successors: ReadonlyMap<string, string>;
}

const groups = new WeakMap<readonly Route[], RoutesByPrefix>();

function byPrefix(routes: readonly Route[]): RoutesByPrefix {
  const made = groups.get(routes);
  if (made !== undefined) return made;
  const current = new Map<string, Route[]>();
  const successors = new Map<string, string>();
  for (const route of routes) {
    const { successor } = route;
    const prefix = prefixOf(route.template);
    if (successor !== undefined) {
      successors.set(prefix, 'prefix' in successor ? `/${successor.prefix}` : prefixOf(successor.template));
    } else if (!route.isDisabled && !route.isMissing) {
      current.set(prefix, [...(current.get(prefix) ?? []), route]);
    }
  }
  groups.set(routes, { current, successors });
  return { current, successors };
}

/** Candidates for a path that begins with this segment. */
function routesNear(routes: readonly Route[], first: string): readonly Route[] {
  const { current, successors } = byPrefix(routes);
  const exact = current.get(successors.get(`/${first}`) ?? `/${first}`);
  if (exact !== undefined) return exact;
  let nearest = { prefix: '/', unlikeness: SAME_PREFIX };
  for (const [prefix, under] of current) {
    // The prefix itself may have been left out.
    const isLeftOut = under.some(({ template }) => isLiteral(template.segments[1], first));
    const unlikeness = isLeftOut ? 0 : compareTexts(prefix.slice(1), first);
    if (unlikeness < nearest.unlikeness) nearest = { prefix, unlikeness };
  }
  return current.get(nearest.prefix) ?? [];
}

function isLiteral(segment: Segment | undefined, text: string): boolean {
  return segment?.kind === 'literal' && segment.text === text;
}

/** The smallest cost of turning one sequence into another by gaps and replacements. */
function editDistance<A, B>(from: readonly A[], to: readonly B[], gap: number, cost: (a: A, b: B) => number): number {
  let previous = Array.from({ length: to.length + 1 }, (_, at) => at * gap);
  for (const [row, a] of from.entries()) {
    const current = [(row + 1) * gap];
    for (const [column, b] of to.entries()) {
      const replace = (previous[column] ?? 0) + cost(a, b);
      current.push(Math.min(replace, (previous[column + 1] ?? 0) + gap, (current[column] ?? 0) + gap));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

/** 0 for the same text, up to 1 for an entirely different one. */
function compareTexts(a: string, b: string): number {
  const changes = editDistance([...a], [...b], 1, (x, y) => (x === y ? 0 : 1));
  return changes / Math.max(a.length, b.length, 1);
}

/** Routes share most of their segments. */
function remembered(compare: (a: string, b: string) => number): (a: string, b: string) => number {
  const known = new Map<string, number>();
  return (a, b) => {
    const key = `${a}/${b}`;
    const value = known.get(key) ?? compare(a, b);
    known.set(key, value);
    return value;
  };
}
