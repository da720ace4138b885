import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTemplate } from './parse-template.js';
import { printTemplate, type Segment, type Template } from './template.js';

function parsed(text: string): Template {
  const result = parseTemplate(text);
  if ('problem' in result) throw new Error(`${text}: ${result.problem}`);
  return result.template;
}

describe('parseTemplate', () => {
  it('parses names, wildcards, variables, patterns and a verb', () => {
    expect(parsed('/v1/{parent=shelves/*}/books/{id}/**:check')).toEqual({
      segments: [
        { kind: 'literal', text: 'v1' },
        { kind: 'literal', text: 'shelves' },
        { kind: 'single' },
        { kind: 'literal', text: 'books' },
        { kind: 'single' },
        { kind: 'multi' },
      ],
      variables: [
        { fieldPath: 'parent', start: 1, length: 2 },
        { fieldPath: 'id', start: 4, length: 1 },
      ],
      verb: 'check',
    });
  });

  it('keeps colons in names that are not last, and makes the last one the verb', () => {
    expect(parsed('/did:ixo/a:b:go')).toMatchObject({
      segments: [
        { kind: 'literal', text: 'did:ixo' },
        { kind: 'literal', text: 'a:b' },
      ],
      verb: 'go',
    });
    expect(parsed('/v1/{name}:bla:baa').verb).toBe('bla:baa');
  });

  it.each([
    ['', 'nothing'],
    ['a', 'no leading slash'],
    ['//', 'empty segments'],
    ['/a/', 'a trailing slash'],
    ['/a//b', 'an empty segment'],
    ['/:verb', 'a verb without a path'],
    ['/a:', 'an empty verb'],
    ['/*:', 'an empty verb after a wildcard'],
    ['/{a}:', 'an empty verb after a variable'],
    ['/a:b/{c}:', 'an empty verb at the end'],
    ['/{', 'an open brace'],
    ['/{}', 'no field'],
    ['/{a', 'a variable without end'],
    ['/{a.}', 'a path that ends with a dot'],
    ['/{a..b}', 'a path with an empty part'],
    ['/{a-b}', 'a field with a dash'],
    ['/{1a}', 'a field that starts with a digit'],
    ['/{a=}', 'an empty pattern'],
    ['/{a=/b}', 'a pattern with a leading slash'],
    ['/{a=b/}', 'a pattern with a trailing slash'],
    ['/{a={b}}', 'a variable in a variable'],
    ['/{a=b:c}', 'a verb in a variable'],
    ['/a{b}', 'a variable after a name'],
    ['/{a}b', 'a name after a variable'],
    ['/{a}{b}', 'two variables in a segment'],
    ['/***', 'three stars'],
    ['/{a=***}', 'three stars in a variable'],
    ['/**/*', 'a wildcard after **'],
    ['/**/{a}', 'a variable after **'],
    ['/**/**', 'two **'],
    ['/{a=**}/{b=**}', 'two ** in variables'],
    ['/{a}/{a}', 'a field bound twice'],
    ['/a b', 'a blank'],
    ['/%', 'a bare percent sign'],
    ['/a%2z', 'a broken escape'],
    ['/a?b', 'a query'],
    ['/a#b', 'a fragment'],
  ])('refuses %s: %s', (text) => {
    expect(parseTemplate(text)).toHaveProperty('problem');
  });

  it('accepts every valid path character, stars in names too', () => {
    const all = "-._~!$&'()*+,;=@AZaz09%2F";
    expect(parsed(`/${all}/{id=${all}/*}`).segments).toEqual([
      { kind: 'literal', text: all },
      { kind: 'literal', text: all },
      { kind: 'single' },
    ]);
    expect(parsed('/a*/*b/**c:go')).toMatchObject({
      segments: [
        { kind: 'literal', text: 'a*' },
        { kind: 'literal', text: '*b' },
        { kind: 'literal', text: '**c' },
      ],
      verb: 'go',
    });
    expect(parsed('/*:go').segments).toEqual([{ kind: 'single' }]);
  });

  it('reports the position of a syntax error', () => {
    expect(parseTemplate('/v1/{name')).toEqual({ problem: 'a variable ends with } (at character 10)' });
  });

  it('parses a printed template to the same template', () => {
    fc.assert(
      fc.property(anyTemplate, (template) => {
        const text = printTemplate(template);
        expect(parsed(text)).toEqual(template);
        expect(printTemplate(parsed(text))).toBe(text);
      }),
    );
  });

  it('never throws for any input', () => {
    const pieces = fc.constantFrom('/', '*', '**', '{', '}', '=', ':', '.', '%', '%2F', 'a', 'b1', '_', '-', ' ', 'é');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const result = parseTemplate(parts.join(''));
        expect('template' in result || 'problem' in result).toBe(true);
      }),
    );
  });
});

const literal = fc
  .stringMatching(/^(?:[A-Za-z0-9._~!$&'()*+,;=@-]|%[0-9A-F]{2}){1,8}$/)
  .filter((text) => !/^\*+$/.test(text))
  .map((text): Segment => ({ kind: 'literal', text }));
const segment: fc.Arbitrary<Segment> = fc.oneof(literal, fc.constant<Segment>({ kind: 'single' }));
const fieldPath = fc.stringMatching(/^[a-z_][a-z0-9_]{0,5}(?:\.[a-z]{1,4}){0,2}$/);

/** Groups of segments, some of them variables; at most one `**`, with names after it. */
const anyTemplate: fc.Arbitrary<Template> = fc
  .record({
    groups: fc.array(fc.tuple(fc.array(segment, { minLength: 1, maxLength: 3 }), fc.boolean()), { maxLength: 4 }),
    multi: fc.boolean(),
    tail: fc.array(literal, { maxLength: 2 }),
    names: fc.uniqueArray(fieldPath, { minLength: 5, maxLength: 5 }),
    verb: fc.oneof(fc.constant(''), fc.stringMatching(/^[a-z]{1,6}$/)),
  })
  .map(({ groups, multi, tail, names, verb }) => {
    const segments: Segment[] = [];
    const variables: Template['variables'][number][] = [];
    for (const [at, [group, isVariable]] of groups.entries()) {
      if (isVariable) variables.push({ fieldPath: names[at] ?? 'x', start: segments.length, length: group.length });
      segments.push(...group);
    }
    if (multi) segments.push({ kind: 'multi' }, ...tail);
    return { segments, variables, verb: segments.length === 0 ? '' : verb };
  });
