import { segmentOf } from '../../shell/route.js';
import type { Operation } from './description.js';

/** The path of a query with values in their places. Empty values of the query string are left out. Pure. */
export function buildPath({ path, parameters }: Operation, values: Readonly<Record<string, string>>): string {
  const place = path.replace(/\{([^}]+)\}/g, (_, name: string) => segmentOf(values[name] ?? ''));
  const query = new URLSearchParams();
  for (const { name, in: where } of parameters) {
    const value = values[name];
    if (where === 'query' && value !== undefined && value !== '') query.append(name, value);
  }
  return query.size === 0 ? place : `${place}?${query}`;
}

/** Names of what has to be there and is not. */
export function missingOf({ parameters }: Operation, values: Readonly<Record<string, string>>): string[] {
  return parameters.filter(({ name, required }) => required && (values[name] ?? '') === '').map(({ name }) => name);
}

/** A line for a shell that asks the same of this page's server. */
export function curlOf(url: string, height?: string): string {
  const header = height === undefined || height === '' ? '' : `-H ${quoted(`x-cosmos-block-height: ${height}`)} `;
  return `curl -sS ${header}${quoted(url)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
