import { converseAbility } from '@mlango/schemas/oracle-delegation';
import { mintDelegation, mintInvocation, signerFromSeed, type UcanSigner } from '@mlango/ucan-auth/minting';
import { afterEach, describe, expect, it } from 'vitest';
import { headersOf, newSession, oracle, testApp } from '../../test/app.fixture.js';
import { scriptedModel } from '../models/scripted-model.fixture.js';

const signerOf = (letter: string) => signerFromSeed(Buffer.alloc(32, letter));
const [asha, baraka] = [signerOf('a'), signerOf('b')];

async function headersFor(actor: UcanSigner, owner: UcanSigner) {
  const capability = { can: converseAbility, with: owner.did };
  const grant = await mintDelegation({ signer: owner, audience: actor.did, capabilities: [capability] });
  const token = await mintInvocation({ signer: actor, audience: oracle.did, capability, proofs: [grant] });
  return { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' };
}

let close = async () => {};
afterEach(() => close());

async function setUp() {
  const { model, requests } = scriptedModel(() => ['Karibu']);
  const { app } = await testApp({ model });
  close = () => app.close();
  const own = await headersOf('a');
  const sessionId = await newSession(app, own);
  return { app, requests, own, sessionId, barakaForAsha: await headersFor(baraka, asha) };
}

describe('a delegate with oracle/converse', () => {
  it('finds, reads and continues the conversation, which stays the user’s', async () => {
    const { app, own, sessionId, barakaForAsha: headers } = await setUp();
    const list = await app.inject({ url: '/sessions', headers });
    expect(list.json()).toMatchObject({ sessions: [{ sessionId }] });
    const sent = await app.inject({
      method: 'POST',
      url: `/messages/${sessionId}`,
      headers,
      payload: { message: 'Habari' },
    });
    expect(sent.json()).toMatchObject({ message: { content: 'Karibu' } });
    const contents = [{ content: 'Habari' }, { content: 'Karibu' }];
    for (const reader of [headers, own]) {
      for (const url of [`/messages/${sessionId}`, `/sessions/${sessionId}/messages`]) {
        expect((await app.inject({ url, headers: reader })).json()).toMatchObject({ messages: contents });
      }
    }
    const { run } = (await app.inject({ url: `/sessions/${sessionId}/run`, headers })).json();
    expect((await app.inject({ url: `/runs/${run.runId}`, headers })).body).toContain('Karibu');
  });

  it('can do nothing else for the user', async () => {
    const { app, sessionId, barakaForAsha: headers } = await setUp();
    const others = [
      ['POST', '/sessions'],
      ['PATCH', `/sessions/${sessionId}`],
      ['DELETE', `/sessions/${sessionId}`],
      ['GET', '/account/export'],
      ['DELETE', '/account'],
      ['POST', '/delegation'],
      ['POST', '/revocations'],
      ['GET', '/approvals'],
      ['GET', '/user-preferences'],
      ['GET', '/memories'],
    ] as const;
    for (const [method, url] of others) {
      const payload = method === 'GET' ? {} : { payload: {} };
      const { statusCode } = await app.inject({ method, url, headers, ...payload });
      expect([method, url, statusCode]).toEqual([method, url, 401]);
    }
  });

  it('needs a delegation of that user', async () => {
    const { app, sessionId } = await setUp();
    const capability = { can: converseAbility, with: asha.did };
    const token = await mintInvocation({ signer: baraka, audience: oracle.did, capability });
    const headers = { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' };
    expect((await app.inject({ url: `/messages/${sessionId}`, headers })).statusCode).toBe(401);
  });
});

it('passes the instructions of the app to the model, and does not store them', async () => {
  const { app, own, sessionId, requests } = await setUp();
  const payload = { message: 'Habari', instructions: 'Answer in Swahili.' };
  await app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers: own, payload });
  expect(requests[0]?.instructions).toContain('"Answer in Swahili."');
  await app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers: own, payload: { message: 'Asante' } });
  expect(JSON.stringify(requests.at(-1))).not.toContain('Answer in Swahili');
});
