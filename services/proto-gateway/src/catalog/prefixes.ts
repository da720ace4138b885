import { printTemplate, type Template } from '@mlango/transcoder/template';
import type { Successor } from './successor.js';

/** The first path segment the chain publishes its own modules under. */
const PUBLISHED_PREFIX = 'ixo';

export interface Prefixes {
  /** What stands in place of the published prefix. */
  readonly current: string;
  /** Prefixes that serve the same routes and tell their callers to move on. */
  readonly legacy: readonly string[];
}

/** One spelling a route is served under. */
export interface ServedTemplate {
  readonly template: Template;
  /** For a legacy spelling: what replaced it. */
  readonly successor: Successor | undefined;
}

/** The spellings of a published template. Templates outside the chain's own prefix are served as they are. */
export function servedTemplates(published: Template, prefixes: Prefixes): ServedTemplate[] {
  const first = published.segments[0];
  if (first?.kind !== 'literal' || first.text !== PUBLISHED_PREFIX)
    return [{ template: published, successor: undefined }];
  const current = { template: withFirst(published, prefixes.current), successor: undefined };
  const legacy = prefixes.legacy
    .filter((prefix) => prefix !== prefixes.current)
    .map((prefix) => ({ template: withFirst(published, prefix), successor: { prefix: prefixes.current } }));
  return [current, ...legacy];
}

/** The first literal segment of a template, with its slash; `/` when it begins with a variable. */
export function prefixOf(template: Template): string {
  return printTemplate({ segments: template.segments.slice(0, 1), variables: [], verb: '' }).replaceAll('*', '');
}

function withFirst(template: Template, text: string): Template {
  return { ...template, segments: [{ kind: 'literal', text }, ...template.segments.slice(1)] };
}
