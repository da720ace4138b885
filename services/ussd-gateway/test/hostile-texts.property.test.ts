import type { HttpApp } from '@mlango/service-kit/http-app';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregatorIds } from '../src/aggregators/shipped.fixture.js';
import { type AggregatorLine, aggregatorLines, type Typed } from './support/aggregator-lines.js';
import { isLegalMessage } from './support/legal-reply.js';
import { openTestApp } from './support/test-app.js';

const invalid = 'Invalid input. Please try again.';

/** Paths to every kind of screen for hostile inputs. */
const ways = [
  [],
  ['1', '2'],
  ['2', '2'],
  ['2', '2', 'Amina', '00'],
  ['2', '2', 'Amina', '00', '90210'],
  ['2', '1', 'C0000000A'],
];

const runOf = (text: string) => fc.integer({ min: 1, max: 200 }).map((count) => text.repeat(count));

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 190 }),
  fc.string({ unit: 'grapheme', maxLength: 190 }),
  // Surrogate halves, control characters, marks that reverse or join adjacent characters.
  fc.string({
    unit: fc.constantFrom(
      '\ud83d',
      '\ude00',
      '\u0000',
      '\u0007',
      '\u001b',
      '\u007f',
      '\u0085',
      '\u202e',
      '\u200d',
      '\ufeff',
      '*',
      '1',
    ),
    maxLength: 60,
  }),
  fc.constantFrom('*', '#', '0', '1*', ' ', '\n', 'é', '👩‍👩‍👧', 'ﷺ').chain(runOf),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '{name}',
    '{appName}',
    '*384#',
    '*384*1#',
    '%00',
    '%',
    '&input=1',
    'CON 1',
    'END',
  ),
  fc.constantFrom('0', '00', '98', '99', '1', '2', '9', '*', '', '**'),
);

const inputs = fc
  .tuple(fc.constantFrom(...ways), fc.array(hostile, { minLength: 1, maxLength: 4 }))
  .map(([way, others]) => [...way, ...others]);

let app: HttpApp;
let sessions = 0;
beforeAll(async () => {
  app = await openTestApp({ env: { RATE_LIMIT_MAX: '1000000' } });
});
afterAll(() => app.close());

async function deliver(line: AggregatorLine, typed: Typed) {
  const { body, ...request } = line.request(typed);
  const reply = await app.inject({ ...request, ...(body === undefined ? {} : { payload: body }) });
  expect(reply.statusCode, reply.body).toBe(200);
  const shown = line.read(reply.body, String(reply.headers['freeflow']));
  expect(isLegalMessage(shown.message), JSON.stringify(shown.message)).toBe(true);
  return shown;
}

/** Types all inputs in one session; resolves with the reply to one more ordinary key, if the session still accepts one. */
async function play(line: AggregatorLine, typed: readonly string[]) {
  const caller = { sessionId: `hostile-${sessions++}`, phoneNumber: '+260971230567' };
  await deliver(line, { ...caller, dials: true, input: '', text: '', count: 0 });
  let text = '';
  for (const [index, input] of typed.entries()) {
    const next = extend(text, input);
    const shown = await deliver(line, { ...caller, dials: false, input, text: next, count: index + 1 });
    expect(shown.message).not.toMatch(/expired|unavailable/);
    // A refused input does not become a part of the session's text.
    if (shown.message === invalid) continue;
    text = next;
    if (shown.closes) return undefined;
  }
  const after = extend(text, '5');
  if ([...after].length > 182) return undefined;
  return deliver(line, { ...caller, dials: false, input: '5', text: after, count: typed.length + 1 });
}

function extend(text: string, input: string): string {
  return text === '' ? input : `${text}*${input}`;
}

describe.each(aggregatorIds)('over %s, for any input', (id) => {
  it('gets one legal reply each time, and loses no session', async () => {
    await fc.assert(
      fc.asyncProperty(inputs, async (typed) => {
        const last = await play(aggregatorLines[id], typed);
        expect(last?.closes ?? false).toBe(false);
      }),
      { numRuns: 40 },
    );
  });
});

it.each(['%', '%zz', '%ED%A0%80', '%ff%fe', 'a=1&a=2', '\u0000', '&&&', 'text[]=1', '__proto__=1'])(
  'a form or query that is no text, %j, is answered with one legal message',
  async (raw) => {
    const form = aggregatorLines.africastalking.request({
      sessionId: 's',
      phoneNumber: '+260971230567',
      dials: true,
      input: '',
      text: '',
      count: 0,
    });
    for (const payload of [raw, `${form.body}${raw}`, `${form.body}&text=${raw}`]) {
      const reply = await app.inject({ ...form, payload });
      expect(reply.statusCode).toBe(200);
      expect(isLegalMessage(aggregatorLines.africastalking.read(reply.body).message)).toBe(true);
    }
    for (const query of [raw, `SessionID=s&MSISDN=260971230567&input=${raw}`]) {
      const reply = await app.inject({ method: 'GET', url: `/api/ussd/comviva?${query}` });
      expect(reply.statusCode).toBe(200);
      expect(isLegalMessage(reply.body)).toBe(true);
    }
  },
);
