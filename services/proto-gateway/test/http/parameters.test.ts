import { describe, expect, it } from 'vitest';
import { expectError, gatewayOnNode } from '../support/gateway-on-node.js';

const { get, withApp } = gatewayOnNode();

describe('parameters', () => {
  it('that do not fit are 400 with every violation, in plain words', async () => {
    const reply = await get('/proto/claims/claims?pagination.limit=x&pagination.reverse=perhaps');
    expectError(reply, 400, 3);
    expect(reply.json().details).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        field_violations: [
          { field: 'pagination.limit', description: 'must be a whole number' },
          { field: 'pagination.reverse', description: 'must be true or false' },
        ],
      },
    ]);
  });

  it('that are unknown are named in a warning, refused or ignored, as configured', async () => {
    const warned = await get('/proto/token/params?nope=1&evil%22%0d%0a=2');
    expect([warned.statusCode, warned.headers['warning']]).toEqual([
      200,
      '299 - "ignored query parameters: nope, evil%22%0D%0A"',
    ]);
    await withApp({ unknownQuery: 'reject' }, async (strict) => {
      expectError(await strict.inject('/proto/token/params?nope=1'), 400, 3);
    });
    await withApp({ unknownQuery: 'ignore' }, async (silent) => {
      expect((await silent.inject('/proto/token/params?nope=1')).headers).not.toHaveProperty('warning');
    });
  });

  it('never override the path', async () => {
    const reply = await get('/proto/entity/did:ixo:entity:e0001?id=did:ixo:entity:e0002');
    expect(reply.json().entity.id).toBe('did:ixo:entity:e0001');
  });

  it('choose names, defaults, fields and layout of the reply', async () => {
    const camel = (
      await get('/proto/entity/did:ixo:entity:e0001?json=camel&fields=entity.startDate,entity.end_date')
    ).json();
    expect(camel).toEqual({ entity: { startDate: expect.any(String), endDate: null } });
    const omitted = (await get('/proto/entity/did:ixo:entity:e0001?defaults=omit')).json();
    expect(omitted.entity).not.toHaveProperty('end_date');
    expect((await get('/proto/token/params?pretty=1')).body).toContain('{\n  "params": {\n');
    expectError(await get('/proto/token/params?json=xml'), 400, 3);
  });
});

describe('a mask of fields', () => {
  it('with an unknown field in its mask is served with a warning, refused or ignored, as configured', async () => {
    const path = '/proto/token/params?fields=params.nope,params,x&also=1';
    const warned = await get(path);
    expect([warned.statusCode, warned.headers['warning']]).toEqual([
      200,
      '299 - "ignored query parameters: also", 299 - "no such fields: params.nope, x"',
    ]);
    expect(Object.keys(warned.json().params)).not.toHaveLength(0);
    await withApp({ unknownQuery: 'reject' }, async (strict) => {
      const message = expectError(await strict.inject(path), 400, 3);
      expect(message).toContain('fields names params.nope, which the reply does not have');
    });
    await withApp({ unknownQuery: 'ignore' }, async (silent) => {
      expect((await silent.inject(path)).headers).not.toHaveProperty('warning');
    });
  });

  it.each(['a'.concat('.a'.repeat(7000)), Array.from({ length: 3000 }, (_, at) => `a.b${at}`).join(), 'params..x'])(
    'that is too deep, too long or malformed is 400',
    async (fields) => {
      expectError(await get(`/proto/token/params?fields=${fields}`), 400, 3);
    },
  );
});

describe('values', () => {
  it('are written in the form that clients of the chain expect', async () => {
    const { params } = (await get('/proto/claims/params')).json();
    expect(params.network_fee_percentage).toMatch(/^[0-9]+\.[0-9]{18}$/);
    const { pagination } = (await get('/proto/entity?pagination.offset=199&pagination.limit=5')).json();
    expect(pagination.next_key).toBeNull();
  });
});

describe('the block height', () => {
  it('is forwarded from header or parameter, and returned', async () => {
    expect((await get('/proto/token/params', { 'x-cosmos-block-height': '7' })).headers['x-cosmos-block-height']).toBe(
      '7',
    );
    expect((await get('/proto/token/params?height=8')).headers['x-cosmos-block-height']).toBe('8');
    expect(Number((await get('/proto/token/params')).headers['x-cosmos-block-height'])).toBeGreaterThan(8);
  });

  it.each([
    'height=7&height=8',
    'height=7&height=7',
    'json=camel&json=proto',
    'fields=params&fields=x',
    'pretty=1&pretty=1',
  ])('of the reply’s form must not be repeated: %s is 400', async (query) => {
    expect(expectError(await get(`/proto/token/params?${query}`), 400, 3)).toContain('is given more than once');
  });

  it('is returned with an error too', async () => {
    const reply = await get('/proto/entity/did:ixo:entity:nobody?height=9');
    expectError(reply, 404, 5);
    expect(reply.headers['x-cosmos-block-height']).toBe('9');
  });

  it.each(['?height=latest', '?height=-1', '?height=1e3'])('must be a height: %s', async (query) => {
    expectError(await get(`/proto/token/params${query}`), 400, 3);
  });

  it('is 400 if the header and the parameter differ', async () => {
    expectError(await get('/proto/token/params?height=8', { 'x-cosmos-block-height': '7' }), 400, 3);
    expect((await get('/proto/token/params?height=7', { 'x-cosmos-block-height': '7' })).statusCode).toBe(200);
  });
});
