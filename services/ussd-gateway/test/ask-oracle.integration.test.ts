import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openOracleWorld } from './support/oracle-world.js';
import { phoneAt } from './support/phone-at.js';
import type { ServiceProcess } from './support/service-process.js';

let world: Awaited<ReturnType<typeof openOracleWorld>>;
let gateway: ServiceProcess;
/** Waits only briefly for slow effects. */
let impatient: ServiceProcess;
const startImpatient = () => world.startGateway({ HOP_DEADLINE_MS: '2000' }, 'impatient');
beforeAll(async () => {
  world = await openOracleWorld();
  gateway = await world.startGateway({ ORACLE_QUESTIONS_PER_DAY: '4' });
  impatient = await startImpatient();
}, 240_000);
afterAll(() => world.close());

const phone = (phoneNumber: string) => phoneAt(() => gateway, phoneNumber);
const impatientPhone = (phoneNumber: string) => phoneAt(() => impatient, phoneNumber);
const speakSwahili = async (one: ReturnType<typeof phone>) => {
  await one.dial();
  await one.type('3');
  await one.type('2');
};
const requestsWith = (question: string) => world.model.requests.filter((body) => body.includes(question)).length;

// Real services answer, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

describe('a question by phone', () => {
  it('is answered in the language of the subscriber, in pages, without Markdown', async () => {
    const amina = phone('+254711000001');
    await speakSwahili(amina);
    world.model.answer = async () => `**Panda mahindi** mwanzoni mwa mvua.\n\n- ${'Udongo uwe na unyevu. '.repeat(8)}`;
    await amina.dial();
    await amina.type('1');
    const first = await amina.type('Nipande mahindi lini?');
    expect(first).toMatch(/^CON Panda mahindi mwanzoni mwa mvua. - Udongo .*\n98. Zaidi\n0. Rudi$/);
    expect(first.length).toBeLessThanOrEqual(4 + 160);
    expect(await amina.type('98')).toMatch(/^CON [^*]+\n1. Uliza swali lingine\n99. Iliyotangulia\n0. Rudi$/);
    const prompt = world.model.requests.find((body) => body.includes('Nipande mahindi lini?')) ?? '';
    expect(prompt).toContain('Answer in Swahili');
  });

  it('is part of one conversation with the earlier questions', async () => {
    const amina = phone('+254711000001');
    world.model.answer = async () => 'Ndiyo.';
    await amina.dial();
    await amina.type('1');
    expect(await amina.type('Na maharagwe?')).toMatch(/^CON Ndiyo\./);
    const prompt = world.model.requests.find((body) => body.includes('Na maharagwe?')) ?? '';
    expect(prompt).toContain('Nipande mahindi lini?');
  });

  it('with a slow answer is pending, and the answer is shown on request and at the next dial', async () => {
    const baraka = impatientPhone('+254711000002');
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    world.model.answer = () => opened.then(() => 'Late, but true.');
    await baraka.dial();
    await baraka.type('1');
    expect(await baraka.type('Is it slow?')).toContain('1. See the answer');
    open();
    await vi.waitFor(async () => expect(await baraka.dial()).toMatch(/^CON Late, but true\./), { timeout: 60_000 });
    expect(requestsWith('Is it slow?')).toBeLessThanOrEqual(2);
  });

  it('is limited per day and phone', async () => {
    const chiku = phone('+254711000003');
    world.model.answer = async () => 'Yes.';
    await chiku.dial();
    await chiku.type('1');
    for (let question = 1; question <= 4; question++) {
      expect(await chiku.type(`Question ${question}?`)).toMatch(/^CON Yes\./);
      await chiku.type('1');
    }
    expect(await chiku.type('Question 5?')).toMatch(/^CON You have asked as many questions today/);
    expect(requestsWith('Question 5?')).toBe(0);
    expect(await sendOneQuestion(phone('+254711000004'))).toMatch(/^CON Yes\./);
  });

  it('is in no log, and no phone number is in a log or in the input of the model', () => {
    const logs = `${gateway.output()}${impatient.output()}${world.oracle.output()}`;
    expect(logs).not.toMatch(/25471100000|Nipande|slow\?|Question \d/);
    expect(world.model.requests.length).toBeGreaterThan(5);
    expect(world.model.requests.join()).not.toMatch(/25471100000|711000/);
  });
});

async function sendOneQuestion(one: ReturnType<typeof phone>, question = 'Are you there?') {
  await one.dial();
  await one.type('1');
  return one.type(question);
}

describe('a failure', () => {
  it('a gateway killed while the oracle runs: the question is sent once, and answered at the next dial', async () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    world.model.answer = async (question) =>
      question.includes('Killed?') ? opened.then(() => 'Still here.') : 'A title';
    const dina = impatientPhone('+254711000005');
    expect(await sendOneQuestion(dina, 'Killed?')).toContain('1. See the answer');
    await impatient.end('SIGKILL');
    impatient = await startImpatient();
    open();
    await vi.waitFor(async () => expect(await dina.dial()).toMatch(/^CON Still here\./), { timeout: 60_000 });
    const question = world.model.requests.filter((body) => /"role":"user","content":[^}]*Killed\?/.test(body));
    expect(question.filter((body) => body.includes('simple phone'))).toHaveLength(1);
  }, 120_000);

  it('an unavailable oracle: a clear text, and no question is sent later', async () => {
    await world.oracle.end();
    expect(await sendOneQuestion(phone('+254711000006'))).toMatch(/^CON The oracle gives no answer now/);
  });
});
