import { everythingRegistry } from '@mlango/test-services/descriptors';
import { describe, expect, it } from 'vitest';
import { bind, bound } from '../../test/bind-everything.js';
import { toRoute } from '../rules/http-route.js';
import { createTranscoder } from '../transcoder.js';

const mask = (rule: string, body: unknown, query = '') =>
  (bound({ method: 'PATCH', rule, body: JSON.stringify(body), query }) as { mask?: string }).mask;

describe('the field mask of a PATCH', () => {
  it('contains the paths of the body, with protobuf names and in order', () => {
    expect(mask('tree', { id: 'a', parent: { id: 'b', parent: { parent: {} } } })).toBe(
      'id,parent.id,parent.parent.parent',
    );
  });

  it('contains lists and maps as a whole', () => {
    expect(mask('tree', { children: [{ id: 'a' }], leaves: { a: { label: 'b' } } })).toBe('children,leaves');
  });

  it('contains members that are null, in order to clear them', () => {
    expect(mask('leaf', { label: null, counts: [1] })).toBe('counts,label');
  });

  it('contains the members of a Struct', () => {
    expect(mask('record', { a: { b: 1, c: [2] } })).toBe('a.b,a.c');
  });

  it('is the mask of the request, if given', () => {
    expect(mask('leaf', { label: 'a', counts: [1] }, 'mask=label')).toBe('label');
  });

  it('is omitted for an empty body, for another method, and if the body is the whole request', () => {
    expect(mask('leaf', {})).toBeUndefined();
    expect(bound({ method: 'PUT', rule: 'leaf', body: '{"label":"a"}' })).not.toHaveProperty('mask');
    expect(mask('*', { leaf: { label: 'a' } })).toBeUndefined();
  });

  it('is created for a route of a transcoder', () => {
    const files = everythingRegistry();
    const rpc = files.getService('everything.v1.Service')?.method['plant'];
    if (rpc === undefined) throw new Error('no such rpc');
    const route = toRoute(rpc, { method: 'PATCH', template: '/trees/{string_value}', body: 'leaf', responseBody: '' });
    if ('problem' in route) throw new Error(route.problem);
    const transcoder = createTranscoder({ files, routes: [route] });
    const found = transcoder.match('PATCH', '/trees/a');
    if (found.kind !== 'found') throw new Error('no such path');
    const read = transcoder.read(found, { body: Buffer.from('{"label":"b"}') });
    expect('bytes' in read && JSON.parse(transcoder.json(rpc.input)(read.bytes))).toMatchObject({ mask: 'label' });
  });

  it('is not created from an invalid body', () => {
    expect(bind({ method: 'PATCH', rule: 'leaf', body: '{"label":1}' })).toHaveProperty('violations');
    expect(bind({ method: 'PATCH', rule: 'leaf', body: '{' })).toHaveProperty('violations');
  });
});
