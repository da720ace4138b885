import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { call, nodeOfFile } from '../../test/call.js';
import { readDescriptors } from '../reflection/descriptors.js';
import { bytesOf, jsonOf } from '../serving/json-message.js';
import { makeModules } from './modules.js';

const TEST_WALLET = 'ixo19rl4cm2hmr8afy4kldpxz3fka4jguq0ar4n0mx';
const registry = readDescriptors();
const services = makeModules({ registry });
const examples = Object.entries(services).flatMap(([service, queries]) =>
  Object.entries(queries).map(([rpc, { example }]) => ({ service, rpc, example })),
);

const { client } = await nodeOfFile({ clock: () => Date.UTC(2026, 0, 1) });

async function ask(service: string, rpc: string, request: JsonObject, sent: Record<string, string> = {}) {
  const method = registry.getService(service)?.methods.find(({ name }) => name === rpc);
  if (method === undefined) throw new Error(`no rpc ${service}/${rpc}`);
  const { input, output } = method;
  const definition = {
    path: `/${service}/${rpc}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (json: JsonObject) => bytesOf(input, json, registry),
    requestDeserialize: () => ({}),
    responseSerialize: () => Buffer.alloc(0),
    responseDeserialize: (bytes: Buffer) => jsonOf(output, bytes, registry),
  } as const;
  const { error, reply, header } = await call(client, definition, request, sent);
  return { code: error?.code ?? 0, text: error?.details ?? '', reply: reply ?? {}, header };
}

describe('the modules every chain has', () => {
  it.each(examples)('$service/$rpc answers', async ({ service, rpc, example }) => {
    const { code, text } = await ask(service, rpc, example);
    expect({ code, text }).toEqual({ code: 0, text: '' });
  });

  it('answer the same at every height, except for the block of that height', async () => {
    const { reply, header } = await ask(
      'cosmos.base.tendermint.v1beta1.Service',
      'GetLatestBlock',
      {},
      { 'x-cosmos-block-height': '7' },
    );
    expect(reply).toMatchObject({ block: { header: { height: '7', chain_id: 'mlango-mock-1' } } });
    expect(header['x-cosmos-block-height']).toBe('7');
  });

  it('cut their lists as the SDK does', async () => {
    const page = await ask('cosmos.auth.v1beta1.Query', 'Accounts', { pagination: { limit: '2', count_total: true } });
    expect(page.reply).toMatchObject({ accounts: { length: 2 }, pagination: { total: '41' } });
  });

  it('answer with empty results for unknown accounts', async () => {
    const nobody = await ask('cosmos.auth.v1beta1.Query', 'Account', { address: 'ixo1nobody' });
    expect([nobody.code, nobody.text]).toEqual([5, 'account ixo1nobody not found']);
    const balances = await ask('cosmos.bank.v1beta1.Query', 'AllBalances', { address: 'ixo1nobody' });
    expect(balances).toMatchObject({ code: 0, reply: { balances: [] } });
  });

  it('store a sent transaction once, and refuse invalid ones', async () => {
    const { reply } = await ask('cosmos.tx.v1beta1.Service', 'GetTxsEvent', { query: 'tx.height=2' });
    expect(reply).toMatchObject({ total: '1', txs: [{ body: { messages: [{ from_address: TEST_WALLET }] } }] });
    const bytes = Buffer.from([0x0a, 0x02, 0x12, 0x00, 0x12, 0x00]).toString('base64');
    const sent = () =>
      ask('cosmos.tx.v1beta1.Service', 'BroadcastTx', { tx_bytes: bytes, mode: 'BROADCAST_MODE_SYNC' });
    const first = await sent();
    expect(await sent()).toEqual(first);
    const hash = (first.reply['tx_response'] as { txhash: string }).txhash;
    const found = await ask('cosmos.tx.v1beta1.Service', 'GetTx', { hash: hash.toLowerCase() });
    expect(found.reply).toMatchObject({ tx_response: { txhash: hash } });
    const wrong = await ask('cosmos.tx.v1beta1.Service', 'Simulate', { tx_bytes: Buffer.from('x').toString('base64') });
    expect([wrong.code, wrong.text]).toEqual([3, 'tx parse error']);
  });

  it('finds transactions that meet all conditions, and none by an unindexed attribute', async () => {
    const found = async (query: string) =>
      (await ask('cosmos.tx.v1beta1.Service', 'GetTxsEvent', { query })).reply['total'];
    const sender = `message.sender='${TEST_WALLET}'`;
    expect(await found(sender)).toBe('1');
    expect(await found(`transfer.recipient='${TEST_WALLET}' AND tx.height=2`)).toBe('1');
    expect(await found(`${sender} AND tx.height=3`)).toBe('0');
    expect(await found("message.sender='ixo1another'")).toBe('0');
    expect(await found("wasm.action='mint'")).toBe('0');
  });
});
