import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { ResumedAnswer } from '../event-stream.js';
import type { ServiceName } from '../services.js';
import { codes, operatorToken, oracleDid, type Scene } from './scene.js';

/** The replies to callers; the checks at the end compare them with the stored data. */
export class Reported {
  /** Customer IDs by phone. */
  readonly accounts = new Map<string, string>();
  /** Receipts by phone; undefined where the payment was refused. */
  readonly payments = new Map<string, string | undefined>();
  readonly turns = new Map<string, { readonly runId: string; readonly status: string; readonly text: string }>();
  readonly faults: string[] = [];
  queries = 0;
  retries = 0;
  longestWaitMs = 0;
}

/** No documented recovery takes longer. */
const patienceMs = 180_000;
const pin = '90210';

/** Callers of all services until `isOver`; a caller that gets no reply, a 429 or a 5xx retries. */
export class Callers {
  readonly reported = new Reported();
  readonly #scene: Scene;
  readonly #isOver: () => boolean;
  #count = 0;

  constructor(scene: Scene, isOver: () => boolean) {
    this.#scene = scene;
    this.#isOver = isOver;
  }

  async run(): Promise<void> {
    const loops = [
      ...Array.from({ length: 3 }, () => this.#loop(() => this.#signUp())),
      ...Array.from({ length: 3 }, () => this.#loop(() => this.#pay())),
      ...(await Promise.all([1, 2, 3, 4].map((number) => this.#chatter(number)))).map((chat) => this.#loop(chat)),
      ...Array.from({ length: 2 }, () => this.#loop(() => this.#query())),
    ];
    await Promise.all(loops);
  }

  async #loop(act: () => Promise<void>): Promise<void> {
    while (!this.#isOver()) {
      try {
        await act();
      } catch (error) {
        this.reported.faults.push(String(error));
      }
    }
  }

  async #signUp(): Promise<void> {
    const number = ++this.#count;
    const phone = `+26097${1_000_000 + number}`;
    const name = `Amina X${[...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
    // Where an input of this script leads on a screen that a failover of Redis restored.
    const astray = [/Information Center/, '*'] as const;
    const screen = await this.#dial(phone, codes.accounts, /Your Customer ID: C[0-9A-Z]{8}/, [
      [/1\. Continue/, '1'],
      [/Welcome to /, '2'],
      [/existing account/, '2'],
      [/full name/, name],
      [/email/, '00'],
      [/5-digit PIN/, pin],
      [/We are working on it/, '1'],
      astray,
    ]);
    const id = /C[0-9A-Z]{8}/.exec(screen.slice(screen.indexOf('Customer ID')))?.[0] ?? '';
    this.reported.accounts.set(phone, id);
    const details = await this.#dial(phone, codes.accounts, /Name: .*[\s\S]*Phone: /, [
      // The place of a sign-up that has ended; a failover of Redis can restore it.
      [/1\. Continue/, '2'],
      [/Welcome to /, '2'],
      [/existing account/, '1'],
      [/Customer ID/, id],
      [/Enter your PIN/, pin],
      [/Welcome, |Back to Account Menu/, '1'],
      astray,
    ]);
    if (!details.includes(name) || !details.includes(phone)) throw new Error(`${phone} was shown ${details}`);
  }

  async #pay(): Promise<void> {
    const phone = `+26096${1_000_000 + ++this.#count}`;
    const screen = await this.#dial(phone, codes.payments, /^END Paid: 250\. Receipt: MM\d+|It was not paid/, [
      [/1\. Continue|Welcome to |You pay 250/, '1'],
      [/How much do you pay/, '250'],
      [/We are working on it|Please confirm on your phone/, '1'],
    ]);
    this.reported.payments.set(phone, /MM\d+/.exec(screen)?.[0]);
  }

  async #query(): Promise<void> {
    const { body } = await this.#served('proto-gateway', '/proto/token/params', {});
    if (!body.includes('ixo1155_contract_code')) throw new Error(`a query was answered ${body.slice(0, 200)}`);
    this.reported.queries += 1;
    await sleep(40);
  }

  /** A user with credits, who runs turns. */
  async #chatter(number: number): Promise<() => Promise<void>> {
    const signer = signerFromSeed(Buffer.alloc(32, number));
    const topUp = {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ topUpId: `soak-${number}`, did: signer.did, tokens: 1_000_000_000 }),
    };
    // nginx closes the routes of operators.
    await this.#served('oracle-api', '/credits/top-ups', topUp, this.#scene.replicas['oracle-api'][1].url);
    const headers = async () => ({
      authorization: `Bearer ${await mintInvocation({ signer, audience: oracleDid, lifetimeSeconds: 600 })}`,
      'x-auth-type': 'ucan',
      'content-type': 'application/json',
    });
    return async () => {
      const { body } = await this.#served('oracle-api', '/sessions', { method: 'POST', headers: await headers() });
      const { sessionId } = JSON.parse(body) as { sessionId: string };
      for (let turn = 0; turn < 5 && !this.#isOver(); turn++) await this.#turn(sessionId, headers);
    };
  }

  /** Sends a message and reads its answer to the end, over as many connections as it takes. */
  async #turn(sessionId: string, headers: () => Promise<Record<string, string>>): Promise<void> {
    const requestId = randomUUID();
    const words = 20 + (++this.#count % 40);
    const message = JSON.stringify({ message: `count to ${words}`, requestId, stream: true });
    const answer = new ResumedAnswer();
    const startedMs = performance.now();
    for (let attempt = 0; answer.status === undefined; attempt++) {
      if (performance.now() - startedMs > patienceMs) throw new Error(`turn ${requestId} has no end`);
      const url = this.#scene.urls['oracle-api'];
      if (attempt > 0) await this.#pause(attempt);
      const init = { headers: await headers() };
      if (attempt > 0 && answer.runId === undefined) answer.runId = await findRun(url, sessionId, requestId, init);
      const status = await (answer.runId === undefined
        ? answer.read(`${url}/messages/${sessionId}`, { ...init, method: 'POST', body: message })
        : answer.read(`${url}/runs/${answer.runId}?after=${answer.lastId}`, init));
      if ([400, 401, 404].includes(status)) throw new Error(`turn ${requestId} was answered ${status}`);
    }
    const { runId = '', status, text, faults } = answer;
    const whole = Array.from({ length: words }, (_, at) => at + 1).join(' ');
    if (status === 'finished' && text.trim() !== whole) faults.push(`"${text}" instead of "${whole}"`);
    this.reported.faults.push(...faults.map((fault) => `turn ${requestId}: ${fault}`));
    this.reported.turns.set(requestId, { runId, status, text });
  }

  /** Dials and answers screens until the wanted one appears. A session with another end is dialled again. */
  async #dial(phone: string, code: string, wanted: RegExp, inputs: readonly (readonly [RegExp, string])[]) {
    const startedMs = performance.now();
    let [sessionId, text] = [randomUUID(), ''];
    while (performance.now() - startedMs < patienceMs) {
      const { body: screen } = await this.#served('ussd-gateway', '/api/ussd', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sessionId, phoneNumber: phone, serviceCode: code, text }),
      });
      if (wanted.test(screen)) return screen;
      const input = inputs.find(([pattern]) => pattern.test(screen))?.[1];
      if (screen.startsWith('CON') && input === undefined) throw new Error(`${phone} was shown ${screen}`);
      if (/working on it|confirm on your phone/.test(screen)) await sleep(700);
      if (screen.startsWith('END')) await this.#pause(1);
      if (screen.startsWith('END') || text.length > 140) [sessionId, text] = [randomUUID(), ''];
      else text = text === '' ? String(input) : `${text}*${input}`;
    }
    throw new Error(`${phone} did not see ${wanted} in ${patienceMs / 1000} s`);
  }

  async #served(service: ServiceName, path: string, init: RequestInit, url = this.#scene.urls[service]) {
    const startedMs = performance.now();
    for (let attempt = 0; performance.now() - startedMs < patienceMs; attempt++) {
      if (attempt > 0) await this.#pause(attempt);
      const reply = await request(`${url}${path}`, init);
      if (reply === undefined || reply.status === 429 || reply.status >= 500 || /^END Service temp/.test(reply.body))
        continue;
      if (reply.status >= 400) throw new Error(`${path} was answered ${reply.status}: ${reply.body.slice(0, 200)}`);
      this.reported.longestWaitMs = Math.max(this.reported.longestWaitMs, performance.now() - startedMs);
      return reply;
    }
    throw new Error(`${path} was not served in ${patienceMs / 1000} s`);
  }

  async #pause(attempt: number): Promise<void> {
    this.reported.retries += 1;
    await sleep(Math.min(2000, 100 * 2 ** attempt));
  }
}

async function request(url: string, init: RequestInit) {
  try {
    const reply = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
    return { status: reply.status, body: await reply.text() };
  } catch {
    return undefined;
  }
}

async function findRun(url: string, sessionId: string, requestId: string, init: RequestInit) {
  const reply = await request(`${url}/sessions/${sessionId}/run`, init);
  if (reply?.status !== 200) return undefined;
  const { run } = JSON.parse(reply.body) as { run: { runId: string; requestId: string } | null };
  return run?.requestId === requestId ? run.runId : undefined;
}
