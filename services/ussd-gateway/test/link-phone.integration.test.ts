import { converseAbility } from '@mlango/schemas/oracle-delegation';
import { mintInvocation, signerFromSeed, type UcanSigner } from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openOracleWorld, oracleDid } from './support/oracle-world.js';
import { phoneAt } from './support/phone-at.js';
import type { ServiceProcess } from './support/service-process.js';

let world: Awaited<ReturnType<typeof openOracleWorld>>;
let gateway: ServiceProcess;
let gatewayDid: string;
/** Log of a gateway that has ended. */
let ended = '';
beforeAll(async () => {
  world = await openOracleWorld();
  gateway = await world.startGateway();
  const { body } = await gateway.get('/api/ussd/link');
  gatewayDid = (body as { did: string }).did;
}, 240_000);
afterAll(() => world.close());

let people = 0;
let asha: UcanSigner;
let phone: ReturnType<typeof phoneAt>;
beforeEach(() => {
  people += 1;
  asha = signerFromSeed(Buffer.alloc(32, `asha ${people}`));
  phone = phoneAt(() => gateway, `+25471100010${people}`);
});

async function call(url: string, token: string, body?: object) {
  const reply = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'x-auth-type': 'ucan',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: (await reply.json()) as unknown };
}
const toGateway = (signer: UcanSigner) => mintInvocation({ signer, audience: gatewayDid });
const claim = async (code: string, signer = asha) =>
  call(`${gateway.base}/api/ussd/link`, await toGateway(signer), { code });
/** Calls the oracle for a phone. */
async function forPhone(linked: { did: string; delegation: string }, path: string, body?: object, signer = asha) {
  const capability = { can: converseAbility, with: linked.did };
  const token = await mintInvocation({ signer, audience: oracleDid, capability, proofs: [linked.delegation] });
  return call(`${world.oracle.address}${path}`, token, body);
}
async function showCode() {
  await phone.dial();
  await phone.type('2');
  return /([A-Z2-9]{5}-[A-Z2-9]{5})/.exec(await phone.type('1'))?.[1] ?? '';
}
async function sendQuestion(question: string) {
  await phone.dial();
  await phone.type('1');
  return phone.type(question);
}

// Real services answer, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

describe('a phone and a person on the web', () => {
  it('are linked by a code of the phone: both use the same conversation, until the phone ends the link', async () => {
    world.model.answer = async () => 'Mwezi wa tatu.';
    expect(await sendQuestion('Nipande lini?')).toContain('Mwezi wa tatu.');
    const code = await showCode();
    const linked = await claim(code.toLowerCase());
    expect(linked).toMatchObject({ status: 200, body: { did: expect.stringMatching(/^did:key:/) } });
    await vi.waitFor(
      () =>
        expect(gateway.output()).toContain(
          'Your conversation with the oracle can now be read and continued on the web',
        ),
      {
        timeout: 30_000,
      },
    );
    const conversation = linked.body as { did: string; delegation: string };
    const { sessions } = (await forPhone(conversation, '/sessions')).body as { sessions: { sessionId: string }[] };
    const [{ sessionId } = { sessionId: '' }] = sessions;
    expect((await forPhone(conversation, `/messages/${sessionId}`)).body).toMatchObject({
      messages: [{ content: 'Nipande lini?' }, { content: 'Mwezi wa tatu.' }],
    });
    world.model.answer = async () => 'Kwa sababu ya mvua.';
    expect(await forPhone(conversation, `/messages/${sessionId}`, { message: 'Kwa nini?' })).toMatchObject({
      status: 200,
    });
    expect(await sendQuestion('Na sasa?')).toContain('Kwa sababu');
    const body = world.model.requests.find((body) => body.includes('Na sasa?')) ?? '';
    expect(body).toContain('Kwa nini?');

    // It was for one person and one use.
    expect((await claim(code)).status).toBe(404);
    const baraka = signerFromSeed(Buffer.alloc(32, 'baraka'));
    expect((await forPhone(conversation, '/sessions', undefined, baraka)).status).toBe(401);
    expect((await claim(await showCode(), baraka)).status).toBe(409);

    await phone.dial();
    await phone.type('2');
    expect(await phone.type('3')).toMatch(/^CON Nobody reads along on the web any more/);
    expect((await forPhone(conversation, '/sessions')).status).toBe(401);
    expect(await sendQuestion('Upo?')).toContain('Kwa sababu');
    await phone.dial();
    await phone.type('2');
    expect(await phone.type('3')).toMatch(/^CON Nobody reads along on the web\./);
  });

  it('are linked by a code of the web, once it was typed on the phone', async () => {
    world.model.answer = async () => 'Ndiyo.';
    await sendQuestion('Ipo?');
    const made = await call(`${gateway.base}/api/ussd/link/codes`, await toGateway(asha), {});
    expect(made).toMatchObject({ status: 201, body: { code: expect.stringMatching(/^\d{8}$/), minutes: 10 } });
    const { code } = made.body as { code: string };
    expect((await claim(code)).status).toBe(404);
    await phone.dial();
    await phone.type('2');
    await phone.type('2');
    expect(await phone.type(code === '00000000' ? '00000001' : '00000000')).toMatch(/^CON There is no such code/);
    expect(await phone.type(code)).toMatch(/^CON Go on at the web now/);
    // A code of another person is not found.
    expect((await claim(code, signerFromSeed(Buffer.alloc(32, 'x')))).status).toBe(404);
    const linked = await claim(code);
    expect(linked.status).toBe(200);
    const conversation = linked.body as { did: string; delegation: string };
    expect((await forPhone(conversation, '/sessions')).body).toMatchObject({ total: 1 });
    expect((await claim(code)).status).toBe(404);
  });

  it('must prove their identity', async () => {
    const url = `${gateway.base}/api/ussd/link`;
    for (const token of ['', await mintInvocation({ signer: asha, audience: oracleDid })]) {
      expect((await call(url, token, { code: 'AAAAA-AAAAA' })).status).toBe(401);
    }
  });

  it('leave no data in the gateway and the oracle, once a phone without an account is deleted', async () => {
    await sendQuestion('Upo?');
    const linked = await claim(await showCode());
    const conversation = linked.body as { did: string; delegation: string };
    expect((await forPhone(conversation, '/sessions')).body).toMatchObject({ total: 1 });
    await gateway.end('SIGTERM');
    const number = `+25471100010${people}`;
    const exported = async () => JSON.parse(await world.command('export-phone', number)) as unknown;
    expect(await exported()).toMatchObject({
      phone: null,
      identities: [{ service: 'default', did: conversation.did, asked: 1 }],
    });
    // The question, and the notice of the link.
    expect(await world.command('delete-phone', number)).toMatch(
      /^\+\d+: removed 0 attempts, 0 counts of wrong PINs, [1-3] effects, 0 phone with its language\n$/,
    );
    expect(await exported()).toMatchObject({ identities: [] });
    expect((await forPhone(conversation, '/sessions')).body).toMatchObject({ total: 0 });
    ended = gateway.output();
    gateway = await world.startGateway();
  });

  it('are not linked by guesses, which are limited', async () => {
    await phone.dial();
    await phone.type('2');
    await phone.type('2');
    for (let guess = 1; guess <= 5; guess++) {
      expect(await phone.type(`1000000${guess}`)).toMatch(/^CON There is no such code/);
    }
    expect(await phone.type('10000006')).toMatch(/^CON Too many tries/);
    const code = await showCode();
    const statuses: number[] = [];
    for (let guess = 0; guess < 25; guess++) statuses.push((await claim('AAAAA-AAAAA')).status);
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
    // Not even with the right code by then.
    expect((await claim(code)).status).toBe(429);
  });

  it('are in no log by number, code or token', () => {
    const logs = `${ended}${gateway.output()}${world.oracle.output()}`;
    expect(logs).not.toMatch(/25471100010|Nipande|[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{5}|OqJlcm9v/);
  });
});
