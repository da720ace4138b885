import { describe, expect, it } from 'vitest';
import { expectError, gatewayOnNode } from '../support/gateway-on-node.js';

const { get, node } = gatewayOnNode();

const OWNER = 'ixo19rl4cm2hmr8afy4kldpxz3fka4jguq0ar4n0mx';
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

async function contract(): Promise<string> {
  const { contract_addresses: found } = (await get(`/cosmwasm/wasm/v1/contracts/creator/${OWNER}`)).json();
  return `/cosmwasm/wasm/v1/contract/${found[0]}`;
}

describe('a contract', () => {
  it('takes base64 and answers JSON, as nodes do', async () => {
    const path = `${await contract()}/smart/${encodeURIComponent(base64({ balance: { address: OWNER } }))}`;
    const reply = await get(path);
    expect(reply.body).toBe('{"data":{"balance":"1000000000"}}');
    expect((await get(`${path}?values=wire`)).json()).toEqual({ data: base64({ balance: '1000000000' }) });
  });

  it('takes plain JSON as the same query', async () => {
    const query = { balance: { address: OWNER } };
    const plain = await get(`${await contract()}/smart/${encodeURIComponent(JSON.stringify(query))}`);
    expect(plain.json()).toEqual({ data: { balance: '1000000000' } });
    const wrong = await get(`${await contract()}/smart/${encodeURIComponent('{"balance":')}`);
    expect(expectError(wrong, 400, 3)).toBe('query_data is neither base64 nor JSON');
    expect(node().callsOf('/cosmwasm.wasm.v1.Query/SmartContractState')).toBe(3);
  });

  it('answers unknown queries with its own error', async () => {
    const reply = await get(`${await contract()}/smart/${encodeURIComponent('{"nope":{}}')}`);
    expect(expectError(reply, 500, 2)).toContain('unknown variant');
  });

  it('writes hashes in hexadecimal, state in base64, and history in JSON', async () => {
    const { code_infos: codes } = (await get('/cosmwasm/wasm/v1/code')).json();
    expect(codes[0].data_hash).toMatch(/^[0-9A-F]{64}$/);
    const { models } = (await get(`${await contract()}/state`)).json();
    expect(models[0].key).toMatch(/^[0-9A-F]+$/);
    expect(Buffer.from(models[0].value, 'base64').toString()).toContain('cw20-base');
    const { entries } = (await get(`${await contract()}/history`)).json();
    expect(entries[0].msg).toMatchObject({ symbol: 'CRD' });
    const raw = await get(
      `${await contract()}/raw/${encodeURIComponent(Buffer.from('token_info').toString('base64'))}`,
    );
    expect(JSON.parse(Buffer.from(raw.json().data, 'base64').toString())).toMatchObject({ symbol: 'CRD' });
  });
});
