import { everythingRegistry, picturesRegistry } from '@mlango/test-services/descriptors';
import { describe, expect, it } from 'vitest';
import { readHttpRules } from './http-rules.js';
import { overrideRules, readServiceRules } from './service-rules.js';

const files = everythingRegistry();
const read = (rules: unknown, more: object = {}) =>
  readServiceRules({ type: 'google.api.Service', config_version: 3, http: { rules, ...more } }, (name) =>
    files.getService(name),
  );
const selector = 'everything.v1.Service.Hidden';

describe('the rules of a service configuration', () => {
  it('bind a method without an annotation, in each of their forms', () => {
    const { rules, problems } = read([
      {
        selector,
        get: '/v1/{string_value}',
        additional_bindings: [
          { post: '/v1', body: '*', response_body: 'leaf' },
          { custom: { kind: 'purge', path: '/v1/{string_value}' } },
        ],
      },
    ]);
    expect(problems).toEqual([]);
    expect(rules.map(({ rpc, bindings }) => [rpc.name, bindings])).toEqual([
      [
        'Hidden',
        [
          { method: 'GET', template: '/v1/{string_value}', body: '', responseBody: '' },
          { method: 'POST', template: '/v1', body: '*', responseBody: 'leaf' },
          { method: 'PURGE', template: '/v1/{string_value}', body: '', responseBody: '' },
        ],
      ],
    ]);
  });

  it('may use JSON names, and the last one for a method applies', () => {
    const { rules } = read([
      { selector, get: '/first' },
      { selector, get: '/second', additionalBindings: [{ put: '/third', body: 'leaf', responseBody: 'leaf' }] },
    ]);
    expect(rules.flatMap(({ bindings }) => bindings.map(({ template }) => template))).toEqual(['/second', '/third']);
  });

  it('replace all annotations of their method, and of no other', () => {
    const annotated = readHttpRules(files);
    const { rules } = read([
      { selector: 'everything.v1.Service.Get', get: '/only' },
      { selector, get: '/hidden' },
    ]);
    const templates = overrideRules(annotated, rules).flatMap(({ bindings }) =>
      bindings.map(({ template }) => template),
    );
    expect(templates).toContain('/only');
    expect(templates).toContain('/hidden');
    expect(templates).toContain('/everything/v1/{string_value}/leaf');
    expect(templates).not.toContain('/everything/v1/files/{string_value=dir/**}');
  });

  it('set whether reserved characters of several segments are decoded', () => {
    expect(read([]).unescape).toBeUndefined();
    expect(read([], { fully_decode_reserved_expansion: true }).unescape).toBe('all_except_slash');
    expect(read([], { fully_decode_reserved_expansion: false }).unescape).toBe('all_except_reserved');
  });

  it.each([
    [
      { selector: 'everything.v1.Service.Nope', get: '/x' },
      ['selector'],
      'there is no method everything.v1.Service.Nope',
    ],
    [{ selector: 'Nope', get: '/x' }, ['selector'], 'there is no method Nope'],
    [{ get: '/x' }, ['selector'], 'must name a method: pkg.Service.Method'],
    [{ selector }, [], 'must have one of get, put, post, delete, patch and custom'],
    [{ selector, get: '/x', put: '/x' }, ['put'], 'cannot be given together with get'],
    [{ selector, get: 7 }, ['get'], 'must be a path template'],
    [{ selector, get: '/{nope}' }, ['get'], 'everything.v1.Everything has no field nope'],
    [{ selector, post: '/x', body: 'nope' }, ['post'], 'everything.v1.Everything has no field nope for the body'],
    [{ selector, get: '/x', bodi: '*' }, ['bodi'], 'there is no bodi here'],
    [{ selector, custom: { kind: 'X' } }, ['custom'], 'must have kind and path'],
    [{ selector, get: '/x', additional_bindings: {} }, ['additional_bindings'], 'must be a list of rules'],
    [
      { selector, get: '/x', additional_bindings: [{ get: '/y', additional_bindings: [{ get: '/z' }] }] },
      ['additional_bindings', 0, 'additional_bindings'],
      'have no further ones',
    ],
    ['x', [], 'must be a rule'],
  ])('are refused as %j, with their position', (rule, path, problem) => {
    expect(read([rule])).toMatchObject({ rules: [], problems: [{ path: ['http', 'rules', 0, ...path], problem }] });
  });

  it('cannot bind a method that streams from its caller', () => {
    const pictures = picturesRegistry();
    const rules = [{ selector: 'pictures.v1.Pictures.Upload', post: '/x', body: '*' }];
    const { problems } = readServiceRules({ http: { rules } }, (name) => pictures.getService(name));
    expect(problems[0]?.problem).toContain('streams from its caller');
  });

  it.each([[undefined], [[]], ['x'], [{ type: 'google.api.Other' }], [{ http: { rules: 'x' } }], [{ http: 7 }]])(
    'are empty if the configuration is %j',
    (config) => {
      const { rules, problems } = readServiceRules(config, () => undefined);
      expect(rules).toEqual([]);
      expect(problems).toHaveLength(1);
    },
  );
});
