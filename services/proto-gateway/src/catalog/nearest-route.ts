import { printTemplate, type Segment } from '../transcoding/template.js';
import type { Route } from './route-table.js';

/** Paths that match nothing are the cheapest to send, so the work for one is bounded. */
const MAX_SEGMENTS = 8;
const MAX_SEGMENT_CHARACTERS = 24;
const CLOSE_ENOUGH = 0.6;

/** The cost of a segment too many or too few, beside a cost of up to 1 for another one. */
const GAP = 0.9;
const WILDCARD = 0.1;

/** The current route most like a path that matched none, as text; `undefined` when nothing is alike. */
export function findNearestRoute(routes: readonly Route[], path: string): string | undefined {
  const asked = path
    .slice(0, 400)
    .split('/')
    .filter((segment) => segment !== '')
    .slice(0, MAX_SEGMENTS)
    .map((segment) => segment.slice(0, MAX_SEGMENT_CHARACTERS));
  const unlikeness = remembered(compareTexts);
  let best: { route: Route; distance: number } | undefined;
  for (const route of routes) {
    if (route.successor !== undefined || route.isDisabled || route.isMissing) continue;
    const { segments } = route.template;
    const cost = (segment: Segment, text: string) =>
      segment.kind === 'literal' ? unlikeness(segment.text, text) : WILDCARD;
    const distance = editDistance(segments, asked, GAP, cost);
    if (best === undefined || distance < best.distance) best = { route, distance };
  }
  if (best === undefined || best.distance > Math.max(1, asked.length) * CLOSE_ENOUGH) return undefined;
  return printTemplate(best.route.template);
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
