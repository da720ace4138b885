import type { JsonProfile } from '@mlango/transcoder/json-profile';
import { describe, expect, it, vi } from 'vitest';
import { gatewayOnNode } from '../../test/support/gateway-on-node.js';
import { bodyMemo } from './body-memo.js';

const { get } = gatewayOnNode();

const optionsOf = (names: JsonProfile['names'], pretty = false) => ({
  profile: { names, defaults: 'emit' as const },
  pretty,
  mask: undefined,
  unknownFields: [],
});

describe('an answer that many wait for', () => {
  it('is written once for all who want the same, and for each who wants another one', () => {
    const textOf = bodyMemo(() => true);
    const replyOf = (byte: number) => ({ message: Uint8Array.of(byte), headers: [], trailers: [] });
    const [reply, other, route] = [replyOf(1), replyOf(2), {} as never];
    const body = vi.fn((bytes: Uint8Array) => String(bytes[0]));
    const write = Object.assign(body, { body, hasReplaced: () => false });
    const texts = [reply, reply, other, reply].map((one) => textOf(one, route, optionsOf('proto'), write).body);
    expect([texts, body.mock.calls.length]).toEqual([['1', '1', '2', '1'], 2]);
    textOf(reply, {} as never, optionsOf('proto'), write);
    textOf(reply, route, optionsOf('camel'), write);
    textOf(reply, route, optionsOf('camel', true), write);
    expect(body).toHaveBeenCalledTimes(5);
  });

  it('is each caller’s own form of it', async () => {
    const url = '/proto/claims/claims?pagination.limit=2';
    const forms = ['', '&json=camel', '&fields=claims.claim_id', '&pretty=1', '&defaults=omit', ''];
    const together = await Promise.all(forms.map((form) => get(`${url}${form}`)));
    for (const [at, form] of forms.entries()) expect(together[at]?.body).toBe((await get(`${url}${form}`)).body);
    expect(new Set(together.map(({ body }) => body)).size).toBe(5);
  });
});
