import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from './promtool.fixture.js';

const page = readFileSync(join(folder, '../../docs/operations/metrics.md'), 'utf8');
const rows = [...page.matchAll(/^\| `([a-z_0-9]+)` \| (\w+)(, fleet)? \| /gm)];

/** The series there are, by the page that is made from the code, and `up`, which is the scraper's own. */
export const knownSeries = new Set([
  'up',
  ...rows.flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => `${name}${part}`) : [name],
  ),
]);

/** Series that every replica reports with the same value. */
const fleetSeries = rows.filter(([, , , fleet]) => fleet !== undefined).map(([, name = '']) => name);

const words = new Set(
  'by on and or unless without ignoring group_left group_right offset bool sum min max avg count rate increase irate delta changes histogram_quantile clamp_min clamp_max vector scalar time topk absent label_replace sort_desc count_over_time'.split(
    ' ',
  ),
);

/** The names of series in an expression of PromQL. */
export function seriesIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\b(by|on|without|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
    .replaceAll(/\{[^}]*\}/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\boffset\s+\w+/g, ' ');
  return [...new Set([...bare.matchAll(/[a-zA-Z_]\w*/g)].map(([name]) => name))].filter((name) => !words.has(name));
}

/** Figures of the whole fleet in an expression that takes them otherwise than by `max`. */
export function miscountedIn(expression: string): string[] {
  return fleetSeries.filter((name) => {
    const uses = [...expression.matchAll(new RegExp(`(.{0,60})\\b${name}\\b`, 'gs'))];
    return uses.some(([, before = '']) => !/\bmax(\s+by\s*\([^)]*\)\s*)?\s*\($/.test(before));
  });
}
