import { describe, expect, it } from 'vitest';
import { expectError, fault, gatewayOnNode } from '../support/gateway-on-node.js';

const { get, withApp } = gatewayOnNode();

describe('errors of the node', () => {
  it.each([
    [1, 499],
    [2, 500],
    [3, 400],
    [4, 504],
    [5, 404],
    [6, 409],
    [7, 403],
    [8, 429],
    [9, 400],
    [10, 409],
    [11, 400],
    [12, 501],
    [13, 500],
    [14, 503],
    [15, 500],
    [16, 401],
  ])('with code %i are HTTP %i', async (code, status) => {
    expectError(await get('/proto/token/params', fault(`status-${code}`)), status, code);
  });

  it('of a module get their real status, with codespace and code in the details', async () => {
    const reply = await get('/proto/claims/claim/nope');
    expect(expectError(reply, 404, 5)).toBe('claim not found');
    expect(reply.json().details[0]).toMatchObject({
      reason: 'CLAIM_NOT_FOUND',
      metadata: { codespace: 'claims', code: '1100' },
    });
  });

  it.each([
    ['collection/none', 'COLLECTION_NOT_FOUND'],
    ['dispute/none', 'DISPUTE_NOT_FOUND'],
    ['intent/none/none/none', 'INTENT_NOT_FOUND'],
    ['collection/none/member/none', 'MEMBER_BUDGET_NOT_FOUND'],
    ['collection/none/deposit/none', 'DEPOSIT_BALANCE_NOT_FOUND'],
    ['dispute-by-subject/none/1', 'SUBJECT_DISPUTE_NOT_FOUND'],
  ])('are 404 for each unknown item of the claims module: %s', async (path, reason) => {
    const reply = await get(`/proto/claims/${path}`);
    expectError(reply, 404, 5);
    expect(reply.json().details[0]).toMatchObject({ reason });
  });

  it('keep their details, known and unknown', async () => {
    const reply = await get('/proto/token/params', fault('details-3'));
    expectError(reply, 400, 3);
    expect(reply.json().details.map((detail: { '@type': string }) => detail['@type'])).toEqual([
      'type.googleapis.com/google.rpc.ErrorInfo',
      'type.googleapis.com/google.rpc.BadRequest',
      'type.googleapis.com/mlango.unknown.Detail',
    ]);
  });

  it('name the rpc that the node does not have', async () => {
    expect(expectError(await get('/proto/token/params', fault('status-12')), 501, 12)).toContain(
      'ixo.token.v1beta1.Query/Params',
    );
  });

  it.each([
    ['oversized', 500, 13],
    ['malformed', 500, 13],
    ['broken-stream', 500, 13],
  ])('without an answer (%s) are %i', async (name, status, code) => {
    expectError(await get('/proto/token/params', fault(name)), status, code);
  });

  it('that break the connection are 503, and the next call connects again', async () => {
    expectError(await get('/proto/token/params', fault('broken-transport')), 503, 14);
    expect((await get('/proto/token/params')).statusCode).toBe(200);
    expect((await get('/proto/token/params', fault('goaway'))).statusCode).toBe(200);
    expect((await get('/proto/token/params')).statusCode).toBe(200);
  });
});

describe('deadlines', () => {
  it('are those of Grpc-Timeout, else the configured one', async () => {
    expectError(await get('/proto/token/params', { ...fault('delay-5000'), 'grpc-timeout': '50m' }), 504, 4);
    await withApp({ defaultTimeoutMs: 60 }, async (hasty) => {
      expectError(await hasty.inject({ url: '/proto/token/params', headers: fault('delay-5000') }), 504, 4);
    });
  });

  it.each(['1.5S', 'S', '-1S', 'INVALID'])('must be well formed: %s', async (timeout) => {
    expectError(await get('/proto/token/params', { 'grpc-timeout': timeout }), 400, 3);
  });
});
