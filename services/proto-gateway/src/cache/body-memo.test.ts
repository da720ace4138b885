import type { JsonProfile } from '@mlango/transcoder/json-profile';
import { describe, expect, it, vi } from 'vitest';
import { gatewayOnNode } from '../../test/support/gateway-on-node.js';
import type { Route } from '../catalog/routes.js';
import { writeOnce } from './body-memo.js';

const { get } = gatewayOnNode();

const optionsOf = (names: JsonProfile['names'], pretty = false) => ({
  profile: { names, defaults: 'emit' as const },
  pretty,
  mask: undefined,
  unknownFields: [],
});

const routeOf = (rpcName: string) => ({ rpcName, responseBody: '' }) as unknown as Route;

describe('the body of a shared reply', () => {
  it('is written once per form', () => {
    const replyOf = (byte: number) => ({ message: Uint8Array.of(byte), headers: [], trailers: [], bodies: new Map() });
    const [reply, other, route] = [replyOf(1), replyOf(2), routeOf('a')];
    const body = vi.fn((bytes: Uint8Array) => String(bytes[0]));
    const write = Object.assign(body, { body, hasReplaced: () => false });
    const texts = [reply, reply, other, reply].map((one) => writeOnce(one, route, optionsOf('proto'), write).body);
    expect([texts, body.mock.calls.length]).toEqual([['1', '1', '2', '1'], 2]);
    writeOnce(reply, routeOf('b'), optionsOf('proto'), write);
    writeOnce(reply, route, optionsOf('camel'), write);
    writeOnce(reply, route, optionsOf('camel', true), write);
    expect(body).toHaveBeenCalledTimes(5);
  });

  it('has the form of each request', async () => {
    const url = '/proto/claims/claims?pagination.limit=2';
    const forms = ['', '&json=camel', '&fields=claims.claim_id', '&pretty=1', '&defaults=omit', ''];
    const together = await Promise.all(forms.map((form) => get(`${url}${form}`)));
    for (const [at, form] of forms.entries()) expect(together[at]?.body).toBe((await get(`${url}${form}`)).body);
    expect(new Set(together.map(({ body }) => body)).size).toBe(5);
  });
});
