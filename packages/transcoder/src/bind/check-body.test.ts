import { describe, expect, it } from 'vitest';
import { bind, bound } from '../../test/bind-everything.js';

const inBody = (body: string, rule = '*') => bound({ rule, body });

describe('a body of JSON', () => {
  it.each([
    ['{"int32_value":"x"}', 'int32_value', 'must be a whole number of 32 bits'],
    ['{"leaf":{"counts":["1","x"]}}', 'leaf.counts[1]', 'must be a whole number of 64 bits, best in quotes'],
    ['{"tree":{"children":[{},{"id":7}]}}', 'tree.children[1].id', 'must be a text'],
    ['{"tree":{"leaves":{"a":{"label":false}}}}', 'tree.leaves[a].label', 'must be a text'],
    ['{"by_name":{"a":"x"}}', 'by_name[a]', 'must be a whole number of 32 bits'],
    ['{"boolValue":"yes"}', 'boolValue', 'must be true or false'],
    ['{"bytes_value":"*"}', 'bytes_value', 'must be base64'],
    ['{"leaf":[]}', 'leaf', 'must be an object'],
    ['{"names":"a"}', 'names', 'must be a list'],
    ['{"by_name":[]}', 'by_name', 'must be an object'],
    ['{"lasting":"soon"}', 'lasting', expect.stringContaining('must be a duration')],
    ['{"lasting":"315576000001s"}', 'lasting', expect.stringContaining('must be a duration')],
    ['{"at":"yesterday"}', 'at', 'must be a time such as 2021-01-01T02:00:00Z'],
    ['{"maybe_long":"x"}', 'maybe_long', 'is not a google.protobuf.Int64Value'],
    ['{"payload":{"label":"a"}}', 'payload', 'needs an @type'],
    ['{"payload":{"@type":"/nope.v1.Nope"}}', 'payload', 'has an @type that is not known here'],
    [
      '{"payload":{"@type":"/everything.v1.Leaf","counts":["x"]}}',
      'payload.counts[0]',
      expect.stringContaining('64 bits'),
    ],
    ['[]', 'body', 'must be an object'],
    ['7', 'body', 'must be an object'],
    ['{"a":', 'body', 'is not valid JSON in UTF-8'],
  ])('%s is refused with the name of the field', (body, field, description) => {
    expect(inBody(body)).toEqual([{ field, description }]);
  });

  const digits = '9'.repeat(1_000_000);
  it('with a number of a million digits is refused before it is parsed', () => {
    const description = 'has a number of more than 2000 characters';
    expect(inBody(`{"int64_value":${digits}}`)).toEqual([{ field: 'body', description }]);
  });

  it.each([
    [`{"leaf":{"counts":["${digits}"]}}`, 'leaf.counts[0]'],
    [`{"lasting":"${digits}s"}`, 'lasting'],
    [`{"maybe_long":"${digits}"}`, 'maybe_long'],
  ])('with an integer of a million digits is refused before the integer is read: %.20s', (body, field) => {
    expect(inBody(body)).toEqual([{ field, description: 'must have at most 200 characters' }]);
  });

  it('with a field mask of endless paths is refused', () => {
    const description = 'must have at most 10000 paths';
    expect(inBody(`{"mask":"${'a,'.repeat(400_000)}a"}`)).toEqual([{ field: 'mask', description }]);
  });

  it('with a key of a map that is such an integer is refused before the key is read', () => {
    const description = 'has a key that is too long';
    expect(inBody(`{"by_number":{"${digits}":"a"}}`)).toEqual([{ field: 'by_number', description }]);
  });

  it('for one field is refused by the path in the request', () => {
    expect(inBody('{"counts":["x"]}', 'leaf')).toEqual([
      { field: 'leaf.counts[0]', description: expect.stringContaining('64 bits') },
    ]);
  });

  it.each([
    ['{"colour":"GREEN"}', 'colour'],
    ['{"colours":["COLOUR_RED","GREEN"]}', 'colours[1]'],
    ['{"tree":{"leaves":{"a":{"colour":"red"}}}}', 'tree.leaves[a].colour'],
    ['{"payload":{"@type":"/everything.v1.Leaf","colour":"GREEN"}}', 'payload.colour'],
  ])('%s names the field of an unknown enum name', (body, field) => {
    const description = 'must be one of COLOUR_UNSPECIFIED, COLOUR_RED, COLOUR_BLUE';
    expect(inBody(body)).toEqual([{ field, description }]);
  });

  it('omits unknown enum names if unknown fields are ignored, as in protobuf', () => {
    expect(bind({ rule: '*', body: '{"colour":"GREEN"}', unknownQuery: 'ignore' })).toHaveProperty('bytes');
  });

  it('names unknown fields if they are refused', () => {
    const result = bind({ rule: '*', body: '{"leaf":{"nope":1}}', unknownQuery: 'reject' });
    expect(result).toEqual({ violations: [{ field: 'leaf.nope', description: 'is not a field of this message' }] });
  });

  it('reports the problems of several fields together', () => {
    const fields = inBody('{"colour":"a","leaf":{"colour":"b"},"names":7}') as { field: string }[];
    expect(fields.map(({ field }) => field)).toEqual(['colour', 'leaf.colour', 'names']);
  });

  it.each([
    ['{"chosen_leaf":null,"chosen_text":"a"}', { chosen_text: 'a' }],
    ['{"chosen_leaf":{"label":"a"},"chosen_text":null}', { chosen_leaf: { label: 'a' } }],
    ['{"chosen_leaf":null}', {}],
    ['{"leaf":null,"names":null,"by_name":null,"int32_value":null,"colour":null,"at":null}', {}],
    ['{"record":{"a":null}}', { record: { a: null } }],
  ])('%s treats null as absent, except for nullable values', (body, message) => {
    expect(inBody(body)).toEqual(message);
  });

  it.each([
    ['{"chosen_text":"a","chosen_leaf":{}}', 'chosen_leaf', 'cannot be given together with chosen_text'],
    ['{"int32_value":1,"int32Value":2}', 'int32Value', 'cannot be given together with int32_value'],
  ])('%s is refused as a duplicate', (body, field, description) => {
    expect(inBody(body)).toEqual([{ field, description }]);
  });

  it.each([
    ['{"string_value":"a","string_value":"b"}', 'string_value'],
    ['{"string_value":"a","string\\u005fvalue":"a"}', 'string_value'],
    ['{"leaf":{"label":"a","counts":[],"label":"a"}}', 'leaf.label'],
    ['{"many_leaves":[{"label":"a"},{"label":"b","label":"c"}]}', 'many_leaves.label'],
    ['{"record":{"a":{"b":1,"b":2}}}', 'record.a.b'],
  ])('%s is refused for a duplicate name', (body, field) => {
    expect(inBody(body)).toEqual([{ field, description: 'is given more than once' }]);
  });

  it('may have equal names in different objects, and brackets and colons in its texts', () => {
    const leaves = '[{"label":"{\\"a\\":1,\\"a\\":2}"},{"label":"]}:,"}]';
    expect(inBody(`{"many_leaves":${leaves}}`)).toEqual({ many_leaves: JSON.parse(leaves) });
  });
});

const UNREAL = [
  '2021-02-30T00:00:00Z',
  '2021-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2021-04-31T00:00:00Z',
  '2021-13-01T00:00:00Z',
  '2021-00-01T00:00:00Z',
  '2021-01-00T00:00:00Z',
  '2021-01-01T24:00:00Z',
  '2021-01-01T23:60:00Z',
  '2021-01-01T23:59:60Z',
  '2021-01-01T00:00:00+24:00',
];

describe('a time that does not exist', () => {
  it.each(UNREAL)('%s is refused in a body, a query and a path', (text) => {
    const violations = [{ field: 'at', description: 'is a time that does not exist' }];
    expect(inBody(JSON.stringify({ at: text }))).toEqual(violations);
    expect(bound({ query: `at=${encodeURIComponent(text)}` })).toEqual(violations);
    expect(bound({ path: [['at', text]] })).toEqual(violations);
    const payload = { '@type': '/google.protobuf.Timestamp', value: text };
    expect(inBody(JSON.stringify({ payload }))).toMatchObject([{ field: 'payload.value' }]);
  });

  it.each(['2020-02-29T00:00:00Z', '2000-02-29T23:59:59.999999999Z', '2021-12-31T23:59:59+23:59'])(
    '%s is no such time',
    (text) => {
      expect(inBody(JSON.stringify({ at: text }))).toHaveProperty('at');
    },
  );
});
