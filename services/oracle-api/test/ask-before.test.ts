import { describe, expect, it } from 'vitest';
import { at, type BankOptions, bank, open, type Payment } from './bank-with-approvals.fixture.js';

async function setUp(options: BankOptions = { needsApproval: () => false }, env: Record<string, string> = {}) {
  const paid: Payment[] = [];
  const oracle = await open([bank(paid, options)], env);
  const user = await oracle.newUser();
  const me = at(oracle, user);
  const rules = async () => (await me.request('GET', '/approvals/always')).body.rules;
  const send = (session: string, text: string) => me.request('POST', `/messages/${session}`, { message: text });
  return { paid, oracle, rules, send: send, session: await user.openSession(), ...me };
}

describe('an "ask before" rule', { timeout: 60_000 }, () => {
  it('from a message requires approval for a tool that needs none, until the user removes it', async () => {
    const { paid, session, rules, send, ...me } = await setUp(
      { needsApproval: () => false },
      { TOOL_APPROVAL: 'pay=free' },
    );
    await me.pay(session, 1);
    expect(paid).toHaveLength(1);
    const reply = await send(session, 'use the tool ask_before with {"name":"pay"}');
    expect(reply.body.message.content).toContain('"asksBefore":"pay"');
    await me.pay(session, 2);
    expect(await me.waiting()).toMatchObject([{ args: { amount: 2 }, reason: 'You require approval for this tool.' }]);
    await me.settle({ decision: 'allow' });
    await me.ended(session);
    await me.pay(session, 3);
    expect([paid.length, (await me.waiting()).length]).toEqual([2, 1]);
    await me.settle({ decision: 'deny' });
    await me.ended(session);
    const [rule, ...others] = await rules();
    expect([rule, others]).toMatchObject([{ says: 'ask', toolName: 'pay', plugin: '*' }, []]);
    expect((await me.request('DELETE', `/approvals/always/${rule.id}`)).code).toBe(200);
    await me.pay(session, 4);
    expect(paid).toHaveLength(3);
  });

  it('overrides an earlier "always allow"; the newest rule counts', async () => {
    const { paid, session, rules, send, ...me } = await setUp({});
    await me.pay(session, 1);
    await me.settle({ decision: 'always' });
    await me.ended(session);
    await me.pay(session, 2);
    expect(paid).toHaveLength(2);
    await send(session, 'Always ask me before bank.');
    expect(await rules()).toMatchObject([{ says: 'ask', plugin: 'bank', toolName: '*' }]);
    await me.pay(session, 3);
    await me.settle({ decision: 'always' });
    await me.ended(session);
    await me.pay(session, 4);
    expect(paid.map(({ amount }) => amount)).toEqual([1, 2, 3, 4]);
    expect(await rules()).toMatchObject([{ says: 'allow', plugin: 'bank', toolName: 'pay' }, { says: 'ask' }]);
  });

  it('can be set by route, for a tool, a plugin, or a tool of a plugin, for one user only', async () => {
    const { paid, oracle, session, rules, ...me } = await setUp();
    const set = (body: object) => me.request('POST', '/approvals/always', body);
    expect(await set({ says: 'ask', toolName: 'pay', plugin: 'bank' })).toMatchObject({
      code: 201,
      body: { id: expect.any(String), says: 'ask', toolName: 'pay', plugin: 'bank', createdAt: expect.any(String) },
    });
    const repeated = await set({ says: 'ask', toolName: 'pay', plugin: 'bank' });
    expect(await rules()).toEqual([repeated.body]);
    for (const odd of [
      {},
      { says: 'ask' },
      { says: 'allow', toolName: 'pay' },
      { says: 'ask', toolName: '' },
      { says: 'ask', plugin: 'a\u0000' },
    ]) {
      expect((await set(odd)).code).toBe(400);
    }
    const other = await oracle.newUser();
    await at(oracle, other).pay(await other.openSession(), 1);
    await me.pay(session, 2);
    expect([paid.map(({ amount }) => amount), (await me.waiting()).length]).toEqual([[1], 1]);
    expect((await at(oracle, other).request('DELETE', `/approvals/always/${repeated.body.id}`)).code).toBe(404);
  });

  it('for an unknown tool is refused', async () => {
    const { session, rules, send } = await setUp();
    const reply = await send(session, 'use the tool ask_before with {"name":"transfer"}');
    expect(reply.body.message.content).toContain('no tool or capability called transfer');
    expect(await rules()).toEqual([]);
  });
});
