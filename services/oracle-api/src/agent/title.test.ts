import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTestStores } from '../../test/stores.fixture.js';
import type { LanguageModel } from '../models/language-model.js';
import { gate } from '../models/scripted-model.fixture.js';
import { SessionTitles, titleFrom } from './title.js';
import type { TurnOutcome } from './turn.js';

const asha = 'did:key:asha';
const finished: TurnOutcome = { status: 'finished', content: 'Plant them in March.' };

async function start(answer: () => Promise<string> | string, { isSmall = true, outcome = finished } = {}) {
  const { conversations } = await openTestStores();
  await conversations.createSession(asha, { sessionId: 's1', createdAt: new Date(0) });
  let asked = 0;
  const small: LanguageModel = {
    id: 'small',
    label: 'Small',
    ...(isSmall ? { contextTokens: 4_000 } : {}),
    async *stream() {
      asked++;
      yield { type: 'text', delta: await answer() };
    },
  };
  const errors: object[] = [];
  const titles = new SessionTitles({
    conversations,
    small,
    now: () => new Date(1),
    log: { error: (fields) => errors.push(fields) },
  });
  const message = 'When do I plant trees?\nIn Kenya.';
  const send = { ownerDid: asha, sessionId: 's1', requestId: 'r', message, model: small, isFollowed: true };
  titles.writeAfter(Promise.resolve(outcome), send);
  const title = async () => (await conversations.findSession(asha, 's1'))?.title;
  return { titles, title, errors, asked: () => asked };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the title of a session', () => {
  it('is written by the small model, as one short line without quotes', async () => {
    const { title } = await start(() => '"Planting trees in Kenya"\nHope that helps!');
    await expect.poll(title).toBe('Planting trees in Kenya');
  });

  it.each([
    ['fails', () => Promise.reject(new Error('away'))],
    ['answers with a blank text', () => ' '],
  ])('is the first line of the message when the model %s', async (_, answer) => {
    const { title, errors } = await start(answer);
    await expect.poll(title).toBe('When do I plant trees?');
    expect(errors).toEqual([]);
  });

  it('is the first line of the message without a suitable model, which gets no request', async () => {
    const { title, asked } = await start(() => 'never', { isSmall: false });
    await expect.poll(title).toBe('When do I plant trees?');
    expect(asked()).toBe(0);
  });

  it('is not set after a turn that did not finish', async () => {
    const { title } = await start(() => 'never', { outcome: { status: 'aborted', content: 'a' } });
    await settled();
    expect(await title()).toBeUndefined();
  });

  it('does not delay a shutdown', async () => {
    const { titles, title } = await start(() => gate().opened.then(() => 'never'));
    await settled();
    await titles.close();
    expect(await title()).toBe('When do I plant trees?');
  });
});

describe('the title of a session', () => {
  it('is the first line of its first message', () => {
    expect(titleFrom('  Plant trees \n and more')).toBe('Plant trees');
    expect(titleFrom('\n\n hello')).toBe('hello');
    expect(titleFrom(' \n\t ')).toBeUndefined();
  });

  it('is cut at a word', () => {
    expect(titleFrom(`${'word '.repeat(30)}`)).toBe('word word word word word word word word word word word word…');
    expect(titleFrom('x'.repeat(100))).toBe(`${'x'.repeat(60)}…`);
  });

  it('is one short line without control characters, for any message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (message) => {
        const title = titleFrom(message);
        if (title === undefined) return;
        expect([...title].length).toBeLessThanOrEqual(61);
        expect(title).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069\u2028\u2029]/u);
      }),
    );
  });
});
