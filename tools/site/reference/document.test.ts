import { describe, expect, it } from 'vitest';
import { documentPages } from './document.mjs';
import { shapeOf } from './shape.mjs';

describe('shapeOf', () => {
  it('writes a schema in the words of TypeScript, with its limits', () => {
    const schema = {
      type: 'object',
      properties: {
        id: { type: 'string', format: 'date-time', pattern: 'x', description: 'Since\nwhen' },
        'a-b': { type: ['integer', 'null'], minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        kinds: { type: 'array', items: { enum: ['one', 'two'] } },
        coin: { anyOf: [{ $ref: '#/components/schemas/Coin' }, { type: 'null' }] },
        rest: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['id'],
    };
    expect(shapeOf(schema)).toBe(`{
  // Since when · date-time
  id: string;
  // at least 1
  "a-b"?: integer | null;
  kinds?: ("one" | "two")[];
  coin?: Coin | null;
  rest?: {
    [name: string]: string;
  };
}`);
  });
});

describe('documentPages', () => {
  const answer = {
    description: 'It',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/It' } } },
  };
  const refusal = { description: 'No', content: { 'application/json': { schema: { type: 'object' } } } };
  const pages = documentPages('door', {
    info: { title: 'Door', version: '1.0.0' },
    tags: [{ name: 'things', description: 'All | of them' }],
    paths: {
      '/things/{id}': {
        get: {
          tags: ['things'],
          summary: 'One of them',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 9 } }],
          responses: { '200': answer, '404': refusal, '500': refusal },
        },
      },
      '/other': { post: { responses: { '204': { description: 'Done' } } } },
    },
    components: {
      schemas: {
        It: { type: 'object', properties: { in: { $ref: '#/components/schemas/Deep' } } },
        Deep: { type: 'string' },
        Unused: {},
      },
    },
  });

  it('gives a page for each tag, and one that leads to them', () => {
    expect([...pages.keys()]).toEqual(['index.md', 'things.md', 'others.md']);
    expect(pages.get('index.md')).toContain('| [things](./things.md) | 1 | All \\| of them |');
  });

  it('shows parameters, answers, each refusal once, and every shape that is reached', () => {
    const page = pages.get('things.md') ?? '';
    expect(page).toContain('## GET /things/\\{id\\}');
    expect(page).toContain('| `id` | path | string | Required. (9 characters at most) |');
    expect(page).toContain('Answer 200:\n\n```ts\nIt\n```');
    expect(page.match(/```ts\nobject\n```/g)).toHaveLength(1);
    expect(page.match(/^### .*$/gm)).toEqual(['### Deep', '### It']);
  });
});
