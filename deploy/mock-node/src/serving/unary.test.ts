import { status } from '@grpc/grpc-js';
import { ServiceService as NodeService } from '@mlango/proto/cosmos/base/node/v1beta1/query';
import { BadRequest, ErrorInfo } from '@mlango/proto/google/rpc/error_details';
import { Status } from '@mlango/proto/google/rpc/status';
import { QueryService as ClaimsService } from '@mlango/proto/ixo/claims/v1beta1/query';
import { QueryService as EntityService } from '@mlango/proto/ixo/entity/v1beta1/query';
import { describe, expect, it, vi } from 'vitest';
import { call, nodeOfFile, reply } from '../../test/call.js';
import { BLOCK_MS, GENESIS_MS } from '../chain-clock.js';

const id = 'did:ixo:entity:e0001';
const HEIGHT = 'x-cosmos-block-height';
let nowMs = GENESIS_MS + 999 * BLOCK_MS;
const { node, client } = await nodeOfFile({ clock: () => nowMs, earliestHeight: 100 });

describe('height', () => {
  it('is that of the last block, on success and on error', async () => {
    expect((await call(client, EntityService.entity, { id })).header[HEIGHT]).toBe('1000');
    const unknown = await call(client, EntityService.entity, { id: 'none' });
    expect(unknown.error?.code).toBe(status.NOT_FOUND);
    expect(unknown.header[HEIGHT]).toBe('1000');
  });

  it('advances with the clock, a block every six seconds', async () => {
    const before = await reply(client, NodeService.status, {});
    nowMs += 3 * BLOCK_MS;
    const after = await reply(client, NodeService.status, {});
    expect(Number(after.height) - Number(before.height)).toBe(3);
    expect(Number(after.timestamp?.seconds) - Number(before.timestamp?.seconds)).toBe(18);
    expect(after.app_hash).not.toEqual(before.app_hash);
  });

  it('can be pinned to an earlier block', async () => {
    const pinned = await call(client, NodeService.status, {}, { [HEIGHT]: '500' });
    expect(pinned.header[HEIGHT]).toBe('500');
    expect(pinned.reply?.height).toBe('500');
    expect(pinned.reply?.timestamp?.seconds).toBe(String((GENESIS_MS + 499 * BLOCK_MS) / 1000));
    expect((await call(client, NodeService.status, {}, { [HEIGHT]: '0' })).reply?.height).not.toBe('500');
  });

  it.each([
    [
      '9999',
      'codespace sdk code 26: invalid height: cannot query with height in the future; please provide a valid height',
    ],
    ['-1', 'codespace sdk code 18: invalid request: cannot query with height < 0; please provide a valid height'],
    ['ten', 'codespace sdk code 18: invalid request: invalid height header "ten"'],
    ['9223372036854775808', 'codespace sdk code 18: invalid request: invalid height header "9223372036854775808"'],
  ])("%s is refused with a node's error", async (height, details) => {
    expect((await call(client, EntityService.entity, { id }, { [HEIGHT]: height })).error).toMatchObject({
      code: status.UNKNOWN,
      details,
    });
  });

  it('is an error if its state was pruned', async () => {
    const { error } = await call(client, EntityService.entity, { id }, { [HEIGHT]: '99' });
    expect(error?.details).toMatch(/^codespace sdk code 38: not found: failed to load state at height 99;/);
    expect((await reply(client, NodeService.status, {})).earliest_store_height).toBe('100');
  });
});

describe('metadata', () => {
  it('under x-mock-echo- is returned as header metadata or trailers', async () => {
    const bytes = Buffer.from([0, 255, 7]);
    const sent = {
      'x-mock-echo-a': 'one',
      'x-mock-echo-b-bin': bytes,
      'x-mock-echo-trailer-c': 'two',
      'x-other': 'no',
    };
    const { header, trailer } = await call(client, EntityService.entity, { id }, sent);
    expect(header).toMatchObject({ 'x-mock-echo-a': 'one', 'x-mock-echo-b-bin': bytes });
    expect(trailer).toEqual({ 'x-mock-echo-trailer-c': 'two' });
  });
});

describe('faults', () => {
  it('every gRPC status can be requested by an id', async () => {
    for (let code = 1; code <= 16; code += 1) {
      const { error } = await call(client, EntityService.entity, { id: `did:ixo:entity:status-${code}` });
      expect(error).toMatchObject({ code, details: `forced status ${code}` });
    }
  });

  it('an id works in any module, metadata in any query', async () => {
    expect((await call(client, ClaimsService.claim, { id: 'status-14' })).error?.code).toBe(status.UNAVAILABLE);
    expect((await call(client, ClaimsService.params, {}, { 'x-mock-fault': 'status-7' })).error?.code).toBe(
      status.PERMISSION_DENIED,
    );
  });

  it('a status can come with details', async () => {
    const { trailer } = await call(client, EntityService.entity, { id: 'did:ixo:entity:details-3' });
    const full = Status.decode(trailer['grpc-status-details-bin'] as Buffer);
    expect(full).toMatchObject({ code: 3, message: 'forced status 3' });
    const [info, bad, unknown] = full.details;
    expect(ErrorInfo.decode(info?.value ?? Buffer.alloc(0))).toMatchObject({
      reason: 'FORCED',
      metadata: { code: '3' },
    });
    expect(BadRequest.decode(bad?.value ?? Buffer.alloc(0)).field_violations[0]?.field).toBe('id');
    expect(unknown?.type_url).toBe('type.googleapis.com/mlango.unknown.Detail');
  });

  it('a delayed answer equals that to the example', async () => {
    expect((await call(client, EntityService.entity, { id: 'did:ixo:entity:delay-30' })).reply?.entity?.id).toBe(id);
  });

  it('a cancelled delayed call is not answered', async () => {
    expect(await giveUp()).toBe(status.CANCELLED);
    // The connection is as good as before.
    expect((await call(client, EntityService.entity, { id })).error).toBeUndefined();
  });

  it('an oversized reply exceeds 16 MiB', async () => {
    const { error } = await call(client, EntityService.entity, { id: 'did:ixo:entity:oversized' });
    expect(error?.code).toBe(status.RESOURCE_EXHAUSTED);
  });

  it('an oversized reply does not change later replies to the same request', async () => {
    await call(client, EntityService.entity, { id }, { 'x-mock-fault': 'oversized' });
    expect((await call(client, EntityService.entity, { id })).reply?.entity?.id).toBe(id);
  });

  it('a malformed reply cannot be decoded', async () => {
    const { error } = await call(client, EntityService.entity, { id: 'did:ixo:entity:malformed' });
    expect(error?.code).toBe(status.INTERNAL);
  });

  it('a broken stream ends one call only', async () => {
    const slow = call(client, EntityService.entity, { id: 'did:ixo:entity:delay-100' });
    const { error } = await call(client, EntityService.entity, { id: 'did:ixo:entity:broken-stream' });
    expect(error).toMatchObject({ code: status.INTERNAL, details: expect.stringContaining('RST_STREAM') });
    expect((await slow).reply?.entity?.id).toBe(id);
  });

  it('a broken transport ends all calls of the connection, and a new one works', async () => {
    const slow = call(client, EntityService.entity, { id: 'did:ixo:entity:delay-5000' });
    const { error } = await call(client, EntityService.entity, { id: 'did:ixo:entity:broken-transport' });
    expect(error?.code).toBe(status.UNAVAILABLE);
    // Either one, depending on the state of the client's stream.
    expect([status.UNAVAILABLE, status.INTERNAL]).toContain((await slow).error?.code);
    await vi.waitFor(async () => expect((await call(client, EntityService.entity, { id })).error).toBeUndefined());
  });

  it('after a GOAWAY the answer still arrives, and the next call succeeds', async () => {
    expect((await call(client, EntityService.entity, { id: 'did:ixo:entity:goaway' })).reply?.entity?.id).toBe(id);
    await vi.waitFor(async () => expect((await call(client, EntityService.entity, { id })).error).toBeUndefined());
  });

  it('a fault of the whole node lasts until it is removed', async () => {
    node.setFault('status-14');
    expect((await call(client, EntityService.params, {})).error?.code).toBe(status.UNAVAILABLE);
    node.setFault(undefined);
    expect((await call(client, EntityService.params, {})).error).toBeUndefined();
    expect(() => node.setFault('status-17')).toThrow('no such fault: status-17');
  });
});

it('counts the calls of each rpc', async () => {
  const path = '/ixo.entity.v1beta1.Query/EntityVerified';
  const before = node.callsOf(path);
  await reply(client, EntityService.entityVerified, { id });
  await reply(client, EntityService.entityVerified, { id });
  expect(node.callsOf(path)).toBe(before + 2);
});

function giveUp(): Promise<number | undefined> {
  const { path, requestSerialize, responseDeserialize } = EntityService.entity;
  const request = { id: 'did:ixo:entity:delay-5000' };
  return new Promise((resolve) => {
    const running = client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error) =>
      resolve(error?.code),
    );
    setImmediate(() => running.cancel());
  });
}
