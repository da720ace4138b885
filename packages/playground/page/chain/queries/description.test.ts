import { describe, expect, it } from 'vitest';
import { readDescription } from './description.js';

const document = {
  tags: [
    { name: 'ixo.entity.v1beta1.Query', description: 'Entities.' },
    { name: 'ixo.empty.v1.Query', description: 'Nothing.' },
  ],
  paths: {
    '/proto/entity/{id}': {
      get: {
        operationId: 'ixo.entity.v1beta1.Query.Entity',
        tags: ['ixo.entity.v1beta1.Query'],
        summary: 'One entity.',
        parameters: [
          { name: 'id', in: 'path', required: true, example: 'did:ixo:entity:e1', schema: { type: 'string' } },
          { name: 'verbose', in: 'query', schema: { type: 'boolean' } },
          { name: 'order', in: 'query', schema: { enum: ['UP', 'DOWN'] } },
        ],
      },
    },
    '/ixo/entity/{id}': {
      get: { operationId: 'old', tags: ['ixo.entity.v1beta1.Query'], deprecated: true },
    },
    '/proto/batch': { post: { operationId: 'batch' } },
  },
};

describe('the description of a gateway', () => {
  const groups = readDescription(document);

  it('has the current queries, by tag, and no empty tag', () => {
    expect(groups.map(({ name, operations }) => [name, operations.map(({ path }) => path)])).toEqual([
      ['entity', ['/proto/entity/{id}']],
    ]);
  });

  it('has the form fields of each parameter', () => {
    const [id, verbose, order] = groups[0]?.operations[0]?.parameters ?? [];
    expect(id).toMatchObject({ in: 'path', required: true, example: 'did:ixo:entity:e1', kind: 'string' });
    expect(verbose).toMatchObject({ in: 'query', required: false, kind: 'boolean' });
    expect(order).toMatchObject({ kind: 'choice', choices: ['UP', 'DOWN'] });
  });

  it.each([[undefined], [null], ['text'], [{ paths: [] }], [{ paths: { '/x': null } }], [{ tags: 3 }]])(
    'treats %j as a description without queries',
    (broken) => {
      expect(readDescription(broken)).toEqual([]);
    },
  );
});
