import { printTemplate, type Template } from '../transcoding/template.js';

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
  /** For a legacy spelling: the first segment that replaced it. */
  readonly successor: string | undefined;
}

/** The spellings of a published template. Templates outside the chain's own prefix are served as they are. */
export function servedTemplates(published: Template, prefixes: Prefixes): ServedTemplate[] {
  const first = published.segments[0];
  if (first?.kind !== 'literal' || first.text !== PUBLISHED_PREFIX)
    return [{ template: published, successor: undefined }];
  const current = { template: withFirst(published, prefixes.current), successor: undefined };
  const legacy = prefixes.legacy
    .filter((prefix) => prefix !== prefixes.current)
    .map((prefix) => ({ template: withFirst(published, prefix), successor: prefixes.current }));
  return [current, ...legacy];
}

/** The path of a legacy request under the current prefix, escapes as they came, fit to stand in a `Link` header. */
export function successorPath(rawPath: string, successor: string): string {
  return rawPath.replace(/^\/[^/]+/, `/${successor}`).replace(/[<>"]/g, encodeURIComponent);
}

/** The first literal segment of a template, with its slash; `/` when it begins with a variable. */
export function prefixOf(template: Template): string {
  return printTemplate({ segments: template.segments.slice(0, 1), variables: [], verb: '' }).replaceAll('*', '');
}

function withFirst(template: Template, text: string): Template {
  return { ...template, segments: [{ kind: 'literal', text }, ...template.segments.slice(1)] };
}
