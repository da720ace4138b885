import { randomBytes } from 'node:crypto';
import { mintRevocation } from '@mlango/ucan-auth/minting';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readAlong, textOf } from '../../services/oracle-api/test/published-client.fixture.js';
import { canRollOut } from './both-builds.fixture.js';
import { closeTabs, LONG, oracleBuilds, oracleDid, tabAt, userOf } from './oracle-builds.fixture.js';

const operatorToken = randomBytes(32).toString('hex');

describe.skipIf(!canRollOut)('conversations while two builds serve', { timeout: 120_000 }, () => {
  let builds: Awaited<ReturnType<typeof oracleBuilds>>;
  let two: Awaited<ReturnType<typeof builds.sideBySide>>;
  let user: Awaited<ReturnType<typeof userOf>>;
  beforeAll(async () => {
    builds = await oracleBuilds({
      API_KEYS: 'on',
      TOOL_APPROVAL: 'forget=ask',
      CREDITS: 'local',
      CREDITS_OPERATOR_TOKEN: operatorToken,
    });
    two = await builds.sideBySide();
  });
  beforeEach(async () => {
    user = await userOf(two);
    const topUp = { topUpId: randomBytes(8).toString('hex'), did: user.signer.did, tokens: 1_000_000 };
    const reply = await fetch(`http://${two[0].address}/credits/top-ups`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(topUp),
    });
    expect(reply.status).toBe(200);
  });
  afterEach(closeTabs);
  afterAll(() => builds.end());

  describe.each([
    ['the earlier', 'the present', 0, 1],
    ['the present', 'the earlier', 1, 0],
  ] as const)('started at %s, and continued at %s,', (_here, _there, first, second) => {
    let here: (typeof user.clients)[0];
    let there: (typeof user.clients)[0];
    beforeEach(() => {
      [here, there] = [user.clients[first], user.clients[second]];
    });
    const messagesAt = async (client: typeof here, sessionId: string) =>
      (await client.call<{ messages: { id: string; content: string }[] }>('GET', `/messages/${sessionId}`)).messages;
    /** An answer that runs until it is stopped. */
    const endless = async (sessionId: string) => {
      const begun = await here.reply('POST', `/messages/${sessionId}`, { message: 'count to 5000', stream: true });
      const writer = readAlong(begun);
      await expect.poll(writer.text, LONG).toContain('12');
      return { runId: String(begun.headers.get('x-run-id')), writer };
    };

    it('are the same at both, with memories and preferences', async () => {
      const sessionId = await here.newSession();
      await here.stream(sessionId, { message: 'Call me Alex' });
      await here.stream(sessionId, { message: 'use the tool remember with {"content":"my goat is called Zuri"}' });
      const recalled = await there.stream(sessionId, { message: 'use the tool recall with {"query":"goat"}' });
      expect(textOf(recalled)).toContain('Zuri');
      for (const path of [`/messages/${sessionId}`, '/sessions', '/user-preferences', '/memories'])
        await expect.poll(() => here.call('GET', path), LONG).toEqual(await there.call('GET', path));
    });

    it('have one run, which both deliver and either stops', async () => {
      const sessionId = await here.newSession();
      const { runId, writer } = await endless(sessionId);
      expect(await there.call('GET', `/sessions/${sessionId}/run`)).toMatchObject({
        run: { runId, status: 'running' },
      });
      const reader = readAlong(await there.reply('GET', `/runs/${runId}?after=0`));
      await expect.poll(reader.text, LONG).toContain('24');
      expect(await there.call('POST', '/messages/abort', { sessionId })).toEqual({ success: true });
      const [written, read] = await Promise.all([writer.whole, reader.whole]);
      expect(written.at(-1)).toMatchObject({ event: 'done', data: { status: 'aborted' } });
      expect(read).toEqual(written);
      for (const client of [here, there]) {
        const again = readAlong(await client.reply('GET', `/runs/${runId}?after=0`));
        expect(textOf(await again.whole)).toBe(textOf(written));
        expect((await messagesAt(client, sessionId))[1]).toMatchObject({ content: textOf(written) });
      }
    });

    it('have one run at a time, which a message at the other one interrupts', async () => {
      const sessionId = await here.newSession();
      const { writer } = await endless(sessionId);
      const next = await there.stream(sessionId, { message: 'count to 3' });
      expect((await writer.whole).at(-1)).toMatchObject({ event: 'done', data: { status: 'interrupted' } });
      const said = ['count to 5000', textOf(await writer.whole), 'count to 3', textOf(next)];
      expect(said[3]).toBe('1 2 3');
      expect((await messagesAt(here, sessionId)).map(({ content }) => content)).toEqual(said);
    });

    it('reach tabs at both, and a tab at the other one answers for its page', async () => {
      const sessionId = await here.newSession();
      const tab = await tabAt(two[second], sessionId, user.invocation);
      tab.socket.on('browser_tool_call', ({ toolCallId, args }: { toolCallId: string; args: { x: number } }) => {
        tab.socket.emit('tool_result', { toolCallId, result: { drawn: args.x + 1 } });
      });
      const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema' };
      const tools = [{ name: 'plot', description: 'Draws', schema }];
      const frames = await here.stream(sessionId, { message: 'Use the tool plot with {"x": 41}', tools });
      expect(textOf(frames)).toContain('{"drawn":42}');
      const tabs = [tab, await tabAt(two[first], sessionId, user.invocation)];
      for (const client of [here, there]) {
        for (const { heard } of tabs) heard.length = 0;
        await client.stream(sessionId, { message: 'count to 3' });
        for (const { hears } of tabs) await hears('message_cache_invalidation');
        for (const { heard } of tabs) expect(heard).toContain('run_status');
      }
    });

    it('wait for their user, with the approval requested at one and answered at the other', async () => {
      const sessionId = await here.newSession();
      await here.stream(sessionId, { message: 'use the tool forget with {"id":"nothing"}' });
      const { approvals } = await there.call<{ approvals: { runId: string; toolCallId: string }[] }>(
        'GET',
        '/approvals',
      );
      const [{ runId, toolCallId } = { runId: '', toolCallId: '' }] = approvals;
      await there.call('POST', `/runs/${runId}/approvals/${toolCallId}`, { decision: 'allow' });
      const status = () => here.call('GET', `/sessions/${sessionId}/run`);
      await expect.poll(status, LONG).toMatchObject({ run: { status: 'finished' } });
      expect(await messagesAt(here, sessionId)).toEqual(await messagesAt(there, sessionId));
      expect(await here.call('GET', '/approvals')).toEqual({ approvals: [] });
    });

    it('are paid for from one balance', async () => {
      const credits = async (client: typeof here) => {
        const told = await client.call('GET', '/credits');
        // The fields that both report.
        return { balance: told['balance'], held: told['held'], owed: Number(told['owed']), claims: told['claims'] };
      };
      for (const client of [here, there]) {
        const { owed } = await credits(here);
        await client.stream(await here.newSession(), { message: 'count to 20' });
        await expect.poll(async () => (await credits(here)).owed, LONG).toBeGreaterThan(owed);
        await expect.poll(async () => (await credits(here)).held, LONG).toBe(0);
        expect(await credits(there)).toEqual(await credits(here));
      }
    });

    it('accept a key made at the other one, until it is revoked at this one', async () => {
      const made = await here.call<{ id: string; key: string }>('POST', '/api-keys', { name: 'k', scopes: ['read'] });
      const headers = { authorization: `Bearer ${made.key}` };
      const ask = async () => (await fetch(`http://${two[second].address}/sessions`, { headers })).status;
      expect(await ask()).toBe(200);
      await here.call('DELETE', `/api-keys/${made.id}`);
      expect(await ask()).toBe(401);
    });

    it('refuse at both a token that is revoked at one', async () => {
      const tab = await tabAt(two[second], await here.newSession(), user.invocation);
      const token = await mintRevocation({ signer: user.signer, audience: oracleDid, token: user.invocation });
      await here.call('POST', '/revocations', { token });
      for (const client of [here, there]) expect((await client.reply('GET', '/sessions')).status).toBe(401);
      // By a notification: polling would take a minute.
      await tab.hears('closing', { timeout: 20_000 });
    });
  });

  it('are deleted by the earlier build with the data that only the present one stores for them', async () => {
    const [earlier, present] = user.clients;
    const sessionId = await earlier.newSession();
    const frames = await earlier.stream(sessionId, { message: 'count to 3' });
    const messageId = String(frames.at(-1)?.data['messageId']);
    await present.call('PUT', `/sessions/${sessionId}/feedback/${messageId}`, { rating: 'up' });
    const kept = () => builds.database.read(`select rating from feedback where session_id = '${sessionId}'`);
    expect(await kept()).toEqual([{ rating: 'up' }]);
    await earlier.call('DELETE', `/sessions/${sessionId}`);
    expect(await kept()).toEqual([]);
  });
});
