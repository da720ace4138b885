import { describe, expect, it } from 'vitest';
import { expectError, gatewayOnNode, headOf } from '../support/gateway-on-node.js';

const { app, node, get, withApp } = gatewayOnNode();

describe('the three published queries', () => {
  it('GET /proto/entity/{id} gives an entity and its document', async () => {
    const reply = await get('/proto/entity/did:ixo:entity:e0001');
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.json()).toMatchObject({
      entity: { id: 'did:ixo:entity:e0001', end_date: null, entity_verified: true },
      iidDocument: { id: 'did:ixo:entity:e0001', context: expect.any(Array) },
    });
  });

  it('GET /proto/claims/claims gives a page of claims and the key of the next', async () => {
    const first = (await get('/proto/claims/claims?pagination.limit=2')).json();
    expect(first.claims).toHaveLength(2);
    const key = encodeURIComponent(first.pagination.next_key);
    const second = (await get(`/proto/claims/claims?pagination.limit=2&pagination.key=${key}`)).json();
    expect(second.claims[0].claim_id).not.toBe(first.claims[0].claim_id);
    expect(second.claims[0].claim_id > first.claims[1].claim_id).toBe(true);
  });

  it('GET /proto/token/params gives the params, 64-bit integers as strings', async () => {
    const reply = await get('/proto/token/params');
    expect(reply.json()).toEqual({ params: { ixo1155_contract_code: expect.stringMatching(/^[0-9]+$/) } });
  });
});

describe('pages', () => {
  it('have 100 items when no limit is given, and never more than the cap', async () => {
    expect((await get('/proto/claims/claims')).json().claims).toHaveLength(100);
    await withApp({ pages: { defaultLimit: 100n, maxLimit: 7n } }, async (capped) => {
      for (const query of ['', '?pagination.limit=0', '?pagination.limit=500']) {
        expect((await capped.inject(`/proto/claims/claims${query}`)).json().claims).toHaveLength(7);
      }
    });
  });

  it('do not make the node count its whole store', async () => {
    expect((await get('/proto/claims/claims')).json().pagination.total).toBe('0');
    expect(
      (await get('/proto/claims/claims?pagination.count_total=true&pagination.limit=1')).json().pagination.total,
    ).toBe('1000');
  });

  it('accept a key with an unescaped +', async () => {
    expect((await get('/proto/claims/claims?pagination.key=a+b/&pagination.limit=1')).statusCode).toBe(200);
  });

  it('take a key or an offset, not both', async () => {
    const message = expectError(await get('/proto/claims/claims?pagination.key=YQ&pagination.offset=1'), 400, 3);
    expect(message).toBe('pagination.offset cannot be given together with pagination.key');
  });
});

describe('paths', () => {
  it('of the gateway itself answer 405 or 501 for other methods', async () => {
    const refused = await app().inject({ method: 'GET', url: '/proto/batch' });
    expect(expectError(refused, 501, 12)).toBe('GET is not served on this path. Served are OPTIONS, POST.');
    const requested = await app().inject({ method: 'OPTIONS', url: '/proto/batch?x=1' });
    expect([refused, requested].map(({ headers }) => headers['allow'])).toEqual(['OPTIONS, POST', 'OPTIONS, POST']);
    // Without watches there is no route for blocks.
    expectError(await app().inject({ method: 'POST', url: '/proto/blocks' }), 404, 5);
  });

  it('prefer a name to a variable: params is no entity', async () => {
    expect((await get('/proto/entity/params')).json()).toHaveProperty('params');
  });

  it('bind a DID unchanged, and decode escapes once', async () => {
    const raw = await get('/proto/entity/did:ixo:entity:e0001');
    const escaped = await get('/proto/entity/did%3Aixo%3Aentity%3Ae0001');
    expect(escaped.json()).toEqual(raw.json());
    expectError(await get('/proto/entity/did%253Aixo%253Aentity%253Ae0001'), 404, 5);
  });

  it('accept ids beyond the limit of a router', async () => {
    expectError(await get(`/proto/entity/${'a'.repeat(6000)}`), 404, 5);
  });

  it.each(['/proto/entity/', '/proto//entity', '/proto/entity//metadata', '/proto/token/params/'])(
    'have no empty segment: %s',
    async (path) => {
      expectError(await get(path), 404, 5);
    },
  );

  it.each(['/proto/entity/%', '/proto/entity/%2', '/proto/entity/%zz', '/proto/entity/%ff'])(
    'with a bad escape are 400: %s',
    async (path) => {
      expectError(await get(path), 400, 3);
    },
  );

  it('that are unknown are 404 with the served prefixes and the nearest route', async () => {
    const message = expectError(await get('/proto/tokn/params'), 404, 5);
    expect(message).toContain('/proto');
    expect(message).toContain('/ixo');
    expect(message).toContain('The nearest route is /proto/token/params.');
    expectError(await get('/elsewhere'), 404, 5);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'] as const)(
    'that are known answer %s with 501 and Allow',
    async (method) => {
      const reply = await app().inject({ method: method as 'POST', url: '/proto/token/params' });
      expectError(reply, 501, 12);
      expect(reply.headers['allow']).toBe('GET, HEAD, OPTIONS');
    },
  );

  it('answer HEAD as GET without a body, and OPTIONS with Allow', async () => {
    const whole = await get('/proto/token/params');
    const head = await headOf(app(), '/proto/token/params');
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers['content-length']).toBe(whole.headers['content-length']);
    const options = await app().inject({ method: 'OPTIONS', url: '/proto/token/params' });
    expect([options.statusCode, options.headers['allow'], options.body]).toEqual([204, 'GET, HEAD, OPTIONS', '']);
  });
});

describe('prefixes', () => {
  it('that are legacy serve the same and name the successor', async () => {
    const legacy = await get('/ixo/entity/did:ixo:entity:e0001?json=camel');
    expect(legacy.statusCode).toBe(200);
    expect(legacy.headers['link']).toBe('</proto/entity/did:ixo:entity:e0001>; rel="successor-version"');
    expect(legacy.headers['deprecation']).toMatch(/^@[0-9]+$/);
    expect((await get('/proto/token/params')).headers).not.toHaveProperty('deprecation');
  });

  it('can be configured', async () => {
    await withApp({ prefixes: { current: 'chain', legacy: ['proto', 'ixo'] } }, async (other) => {
      expect((await other.inject('/chain/token/params')).statusCode).toBe(200);
      expect((await other.inject('/proto/token/params')).headers['link']).toContain('</chain/token/params>');
      expect((await other.inject('/ixo/token/params')).statusCode).toBe(200);
    });
    await withApp({ prefixes: { current: 'proto', legacy: [] } }, async (other) => {
      expectError(await other.inject('/ixo/token/params'), 404, 5);
    });
  });
});

describe('methods', () => {
  it('that are disabled answer 501 with their name and never reach the node', async () => {
    const before = node().callsOf('/ixo.token.v1beta1.Query/Params');
    await withApp({ disabled: ['ixo.token.v1beta1.Query/Params', 'ixo.iid.v1beta1.Query'] }, async (partial) => {
      const message = expectError(await partial.inject('/proto/token/params'), 501, 12);
      expect(message).toContain('ixo.token.v1beta1.Query/Params');
      expectError(await partial.inject('/proto/did/dids'), 501, 12);
      expect((await partial.inject('/proto/claims/params')).statusCode).toBe(200);
    });
    expect(node().callsOf('/ixo.token.v1beta1.Query/Params')).toBe(before);
  });
});
