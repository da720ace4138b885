import type { Segment, Template, Variable } from './template.js';

export type ParsedTemplate = { readonly template: Template } | { readonly problem: string };

const FIELD_PATH = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*/y;
/** `pchar` of RFC 3986 without the colon, which may start a verb. */
const LITERAL = /(?:[A-Za-z0-9\-._~!$&'()*+,;=@]|%[0-9A-Fa-f]{2})+/y;
const LITERAL_WITH_COLONS = /(?:[A-Za-z0-9\-._~!$&'()*+,;=@:]|%[0-9A-Fa-f]{2})+/y;
/** A star, or two, that are all of a segment; others belong to a name. */
const WILDCARD = /\*\*?(?=[/:}]|$)/y;

class Cursor {
  readonly text: string;
  at = 0;
  constructor(text: string) {
    this.text = text;
  }
  get done(): boolean {
    return this.at >= this.text.length;
  }
  take(literal: string): boolean {
    if (!this.text.startsWith(literal, this.at)) return false;
    this.at += literal.length;
    return true;
  }
  takeMatch(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}

class TemplateProblem extends Error {}

/**
 * Parses a path template: `/v1/{parent=shelves/*}/books/{id}:check`. Never throws: an invalid template gives a `problem` with
 * its position.
 */
export function parseTemplate(text: string): ParsedTemplate {
  const cursor = new Cursor(text);
  try {
    return { template: readTemplate(cursor) };
  } catch (error) {
    if (error instanceof TemplateProblem) return { problem: `${error.message} (at character ${cursor.at + 1})` };
    throw error;
  }
}

function readTemplate(cursor: Cursor): Template {
  if (!cursor.take('/')) throw new TemplateProblem('a template starts with /');
  const segments: Segment[] = [];
  const variables: Variable[] = [];
  let verb = '';
  if (!cursor.done) {
    do {
      verb = readSegment(cursor, segments, variables);
    } while (verb === '' && cursor.take('/'));
  }
  if (!cursor.done) throw new TemplateProblem('a segment is followed by / or, at the end, by :verb');
  checkWildcards(segments);
  checkNames(variables);
  return { segments, variables, verb };
}

/** Reads one segment, and the verb when the template ends with one. */
function readSegment(cursor: Cursor, segments: Segment[], variables: Variable[]): string {
  if (cursor.take('{')) {
    readVariable(cursor, segments, variables);
    return readVerb(cursor);
  }
  const wildcard = takeWildcard(cursor);
  if (wildcard !== undefined) {
    segments.push(wildcard);
    return readVerb(cursor);
  }
  const text = cursor.takeMatch(LITERAL_WITH_COLONS);
  if (text === undefined) throw new TemplateProblem('a segment is a name, *, ** or {variable}');
  // Only the last segment can have a verb; other colons belong to names, as in a DID.
  const colon = cursor.done ? text.lastIndexOf(':') : -1;
  if (colon === 0 || colon === text.length - 1)
    throw new TemplateProblem('a verb needs a name before it and text after its colon');
  segments.push(literalSegment(colon < 0 ? text : text.slice(0, colon)));
  return colon < 0 ? '' : text.slice(colon + 1);
}

function readVerb(cursor: Cursor): string {
  if (!cursor.take(':')) return '';
  const verb = cursor.takeMatch(LITERAL_WITH_COLONS);
  if (verb === undefined) throw new TemplateProblem('a colon is followed by a verb');
  return verb;
}

function readVariable(cursor: Cursor, segments: Segment[], variables: Variable[]): void {
  const fieldPath = cursor.takeMatch(FIELD_PATH);
  if (fieldPath === undefined) throw new TemplateProblem('a variable names a field');
  const start = segments.length;
  if (cursor.take('=')) {
    do {
      segments.push(takeWildcard(cursor) ?? literalSegment(cursor.takeMatch(LITERAL)));
    } while (cursor.take('/'));
  } else {
    segments.push({ kind: 'single' });
  }
  if (!cursor.take('}')) throw new TemplateProblem('a variable ends with }');
  variables.push({ fieldPath, start, length: segments.length - start });
}

function takeWildcard(cursor: Cursor): Segment | undefined {
  const stars = cursor.takeMatch(WILDCARD);
  return stars === undefined ? undefined : { kind: stars === '**' ? 'multi' : 'single' };
}

function literalSegment(text: string | undefined): Segment {
  if (text === undefined || /^\*+$/.test(text)) throw new TemplateProblem('a segment is a name, *, ** or {variable}');
  return { kind: 'literal', text };
}

function checkWildcards(segments: readonly Segment[]): void {
  const multi = segments.findIndex((segment) => segment.kind === 'multi');
  const tail = multi < 0 ? [] : segments.slice(multi + 1);
  if (tail.some((segment) => segment.kind !== 'literal')) throw new TemplateProblem('only names may follow **');
}

function checkNames(variables: readonly Variable[]): void {
  const names = variables.map((variable) => variable.fieldPath);
  if (new Set(names).size !== names.length) throw new TemplateProblem('a variable is bound once');
}
