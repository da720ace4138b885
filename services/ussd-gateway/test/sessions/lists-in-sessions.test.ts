import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listOf, listSettings, readList } from '../../src/connectors/lists.js';
import { runQuery } from '../../src/connectors/run-query.js';
import { sourcesOf } from '../../src/connectors/sources.fixture.js';
import type { EffectRequest } from '../../src/effects/effect.js';
import type { Position } from '../../src/engine/position.js';
import { menuHopRules } from '../../src/sessions/hop-rules.fixture.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { outsideOf } from '../../src/sessions/outside.fixture.js';
import { type HopDeps, runHop } from '../../src/sessions/run-hop.js';
import { readRecord, storedText } from '../../src/sessions/session-record.js';
import { SessionQueue } from '../../src/sessions/with-session-lock.js';
import { loadFlows } from '../../src/tenants/load-flows.fixture.js';

const folder = fileURLToPath(new URL('../../../../examples/pay-a-bill/flows', import.meta.url));
const [flow] = loadFlows(folder, { appName: 'Mlango' });
const bill = (name: string, amount: string, reference: string, state = 'due') => ({ name, amount, reference, state });
const water = bill('Water', '250', 'W-1042');
const power = bill('Electricity', '1200.50', 'E-77', 'overdue');

/** A gateway with a back end that returns the next of these bills for each query. */
function openGateway(...answers: readonly (readonly object[] | undefined)[]) {
  const paid: EffectRequest[] = [];
  const positions: Position[] = [];
  let questions = 0;
  const outside = outsideOf({
    effects: {
      'webhook mobileMoney': async (request, { place }) => {
        paid.push(request);
        positions.push(place.position);
        return { result: 'paid', facts: { receipt: 'MM1' } };
      },
    },
  });
  const store = new MemorySessionStore();
  const rules = menuHopRules({
    flows: [flow],
    outside: {
      ...outside,
      runQuery: (query, context) => {
        const sent = answers[Math.min(questions++, answers.length - 1)];
        const found = async () => {
          const list = query.lists?.['found'];
          const read = list && readList(sent, list);
          if (read === undefined || 'why' in read) return { result: 'unanswered' };
          return { result: 'found', lists: { bills: read.items } };
        };
        return runQuery({ ...query, run: found }, context, sourcesOf());
      },
    },
  });
  const parts: HopDeps = {
    store,
    rules,
    sessionTtlMs: 60_000,
    resumeWindowMs: 60_000,
    hopDeadlineMs: 5000,
    queue: new SessionQueue(),
    clock: Date.now,
  };
  const send = async (sessionId: string, text: string) => {
    const caller = { aggregator: 'canonical', phoneNumber: '+260971230567', serviceCode: '*384#' };
    const hop = { ...caller, sessionId, text, arrivedAtMs: Date.now() };
    return (await runHop(hop, parts)).reply;
  };
  const type = async (sessionId: string, ...inputs: readonly string[]) => {
    let reply = await send(sessionId, '');
    for (const index of inputs.keys()) reply = await send(sessionId, inputs.slice(0, index + 1).join('*'));
    return reply;
  };
  return { send, type, paid, positions, store, queries: () => questions };
}

const listed = 'CON Which bill do you pay?\n1. Water 250\n2. Electricity 1200.50\n0. Back';

describe('a shown list', () => {
  it('is repeated by a retry, and its keys select from it, without another query', async () => {
    const { send, type, queries } = openGateway([water, power], [power]);
    expect(await type('s', '1')).toBe(listed);
    expect(await Promise.all([send('s', '1'), send('s', '1')])).toEqual([listed, listed]);
    expect(await send('s', '1*2')).toMatch(/1200\.50 for Electricity\. Reference: E-77\nIt is overdue\./);
    expect(await send('s', '1*2*0')).toBe(listed);
    expect(await send('s', '1*2*0*1')).toMatch(/250 for Water\. Reference: W-1042\nIt is due/);
    expect(queries()).toBe(1);
  });

  it('is repeated by a redial after a lost session, and its keys select from it', async () => {
    const { send, type, queries, paid } = openGateway([water, power], [power]);
    await type('lost', '1');
    expect(await type('next', '1')).toBe(listed);
    expect(queries()).toBe(1);
    await send('next', '1*2');
    expect(await send('next', '1*2*1')).toBe('END 1200.50 paid for Electricity. Receipt: MM1');
    expect(paid[0]?.entries).toMatchObject({ amount: '1200.50', reference: 'E-77' });
  });

  it('is replaced by the next query, and the keys select from the new items', async () => {
    const { send, type } = openGateway([water, power], [power]);
    await type('s', '1', '1', '0', '0');
    expect(await send('s', '1*1*0*0*1')).toBe('CON Which bill do you pay?\n1. Electricity 1200.50\n0. Back');
    expect(await send('s', '1*1*0*0*1*2')).toMatch(/^CON Invalid choice/);
    expect(await send('s', '1*1*0*0*1*2*1')).toMatch(/Reference: E-77/);
  });

  it('is stored no longer than a later screen lists it', async () => {
    const { type, send, store } = openGateway([water, power]);
    await type('s', '1');
    const record = await store.findLive('s', ['canonical']);
    expect(record?.position.lists).toEqual({ bills: [water, power] });
    expect(record && readRecord(storedText(record))).toEqual(record);
    await send('s', '1*0');
    expect((await store.findLive('s', ['canonical']))?.position.lists).toBeUndefined();
  });

  it('is not stored with a payment after which no screen lists it', async () => {
    const { type, paid, positions } = openGateway([water, power]);
    expect(await type('s', '1', '2', '1')).toMatch(/^END 1200\.50 paid/);
    expect(paid).toHaveLength(1);
    expect(positions[0]).toMatchObject({ state: 'confirm', entries: { reference: 'E-77' } });
    expect(positions[0]).not.toHaveProperty('lists');
  });

  it.each(['3', '10', '00', '01', '-1', '1.5', 'bills', 'list', 'constructor'])(
    'has no item under the key %s',
    async (key) => {
      const { type } = openGateway([water, power]);
      expect(await type('s', '1', key)).toBe(listed.replace('CON ', 'CON Invalid choice. Please try again.\n'));
    },
  );

  it('is selected from by digits of another script', async () => {
    const { type } = openGateway([water, power]);
    expect(await type('s', '1', '٢')).toMatch(/Reference: E-77/);
  });

  it('prints text of a back end as text, neither as facts nor as options', async () => {
    const { type } = openGateway([bill('{phoneNumber}\n2. Pay', '1', '{amount}')]);
    expect(await type('s', '1')).toBe('CON Which bill do you pay?\n1. {phoneNumber} 2. Pay 1\n0. Back');
    expect(await type('t', '1', '1')).toMatch(/You pay 1 for \{phoneNumber\} 2\. Pay\. Reference: \{amount\}/);
  });

  it('without items, or with an item that does not match its declaration, is a reason on the menu', async () => {
    const { send, type } = openGateway([], undefined, [{ ...water, amount: 'much' }], [water]);
    expect(await type('s', '1')).toMatch(/^CON You have no bills to pay\.\nWelcome/);
    for (const text of ['1*1', '1*1*1']) expect(await send('s', text)).toMatch(/^CON Your bills cannot be listed now/);
    expect(await send('s', '1*1*1*1')).toMatch(/1\. Water 250/);
  });

  it('of the longest size is stored in a record of bounded size', async () => {
    const list = listOf('bills', listSettings.parse({ most: '50', items: { name: '80' } }));
    const read = readList(Array(50).fill({ name: '𞤀'.repeat(80) }), list);
    expect('items' in read && JSON.stringify(read.items).length).toBeLessThan(6000);
  });
});
