/**
 * A `google.api.http` path template, parsed.
 * Source: the path template grammar in google/api/http.proto.
 */
export type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'single' }
  | { readonly kind: 'multi' };

/** A variable covers `length` template segments from `start` and writes their text to `fieldPath`. */
export interface Variable {
  readonly fieldPath: string;
  readonly start: number;
  readonly length: number;
}

export interface Template {
  readonly segments: readonly Segment[];
  readonly variables: readonly Variable[];
  /** The part after the colon, or `''`. */
  readonly verb: string;
}

/** True when a variable can cover several path segments, so that escaped slashes in it must stay escaped. */
export function coversManySegments(template: Template, variable: Variable): boolean {
  const covered = template.segments.slice(variable.start, variable.start + variable.length);
  return covered.length !== 1 || covered[0]?.kind === 'multi';
}

/** The template as text, in its shortest spelling: `{id}` rather than `{id=*}`. */
export function printTemplate(template: Template): string {
  const parts: string[] = [];
  for (let at = 0; at < template.segments.length; ) {
    const variable = template.variables.find((candidate) => candidate.start === at);
    const length = variable?.length ?? 1;
    const pattern = template.segments
      .slice(at, at + length)
      .map(printSegment)
      .join('/');
    if (variable === undefined) parts.push(pattern);
    else parts.push(pattern === '*' ? `{${variable.fieldPath}}` : `{${variable.fieldPath}=${pattern}}`);
    at += length;
  }
  return `/${parts.join('/')}${template.verb === '' ? '' : `:${template.verb}`}`;
}

function printSegment(segment: Segment): string {
  if (segment.kind === 'literal') return segment.text;
  return segment.kind === 'single' ? '*' : '**';
}

/** Matches every HTTP method, as `custom { kind: "*" }`. */
export const ANY_METHOD = '*';
