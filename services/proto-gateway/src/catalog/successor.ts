import type { Template } from '@mlango/transcoder/template';

/** Where a legacy route lives now: under another first segment, or at another path altogether. */
export type Successor = { readonly prefix: string } | { readonly template: Template };

/** A request as a legacy route matched it. */
export interface LegacyRequest {
  /** The path as it was sent. */
  readonly rawPath: string;
  readonly route: { readonly template: Template };
  /** What the variables of the template matched. */
  readonly values: readonly string[];
}

/** The path a legacy request should have had, fit to stand in a `Link` header. */
export function successorPath(successor: Successor, request: LegacyRequest): string {
  if ('prefix' in successor) {
    // Escapes stay as they came.
    return request.rawPath.replace(/^\/[^/]+/, `/${successor.prefix}`).replace(/[<>"]/g, encodeURIComponent);
  }
  return fill(successor.template, request);
}

/** As far as the values reach: what an old path did not tell is for the caller to choose. */
function fill({ segments, variables }: Template, request: LegacyRequest): string {
  const known = new Map(
    request.route.template.variables.map((variable, at) => [variable.fieldPath, request.values[at]] as const),
  );
  let path = '';
  for (const [at, segment] of segments.entries()) {
    const fieldPath = variables.find((variable) => variable.start === at)?.fieldPath;
    const text = segment.kind === 'literal' ? segment.text : known.get(fieldPath ?? '');
    if (text === undefined) break;
    path += `/${encodeURIComponent(text).replaceAll('%3A', ':')}`;
  }
  return path;
}
