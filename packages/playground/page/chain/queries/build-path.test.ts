import { describe, expect, it } from 'vitest';
import { buildPath, curlOf, missingOf, type Operation, type Parameter } from './description.js';

const parameter = (name: string, place: Parameter['in'], required = false): Parameter => ({
  name,
  in: place,
  required,
  description: '',
  example: '',
  kind: 'string',
  choices: [],
});
const operation: Operation = {
  id: 'x',
  method: 'GET',
  path: '/proto/entity/{id}',
  summary: '',
  parameters: [
    parameter('id', 'path', true),
    parameter('pagination.limit', 'query'),
    parameter('x-cosmos-block-height', 'header'),
  ],
};

describe('the path of a query', () => {
  it('contains the given values, escaped, and no header', () => {
    const values = { id: 'ibc/2 7%', 'pagination.limit': '5', 'x-cosmos-block-height': '9' };
    expect(buildPath(operation, values)).toBe('/proto/entity/ibc%2F2%207%25?pagination.limit=5');
    expect(buildPath(operation, { id: 'a', 'pagination.limit': '' })).toBe('/proto/entity/a');
  });

  it('is incomplete without a required parameter', () => {
    expect(missingOf(operation, {})).toEqual(['id']);
    expect(missingOf(operation, { id: 'a' })).toEqual([]);
  });
});

describe('a line of curl', () => {
  it('is one shell command for any address', () => {
    expect(curlOf("http://h/x?a='b'", '7')).toBe("curl -sS -H 'x-cosmos-block-height: 7' 'http://h/x?a='\\''b'\\'''");
    expect(curlOf('http://h/x')).toBe("curl -sS 'http://h/x'");
  });
});
