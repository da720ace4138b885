import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultFlow } from '../flows/default-flow.fixture.js';
import { loadFlows } from '../tenants/load-flows.fixture.js';
import { playTranscript } from './play-transcript.js';
import { readTranscript } from './read-transcript.js';
import { writeTranscript } from './write-transcript.js';

const facts = { appName: 'Mlango' };
const phoneNumber = '+254711000001';
const folder = new URL('../../flows/default/transcripts/', import.meta.url);

/** A session as recorded by a phone: with real PINs and Customer IDs, and without external answers. */
function hadFrom(name: string) {
  const { title, exchanges } = readTranscript(readFileSync(new URL(name, folder), 'utf8'));
  const real = (text: string) =>
    text.replaceAll('{PIN 1}', '48291').replaceAll('{PIN 2}', '73506').replaceAll('{Customer ID}', 'CAB12CD34');
  const had = exchanges.map(({ typed, message, closes, dials }) => {
    return { typed: real(typed), message: real(message), closes, dials };
  });
  return { title, phoneNumber, serviceCode: '*384#', exchanges: had };
}

describe('a recorded session', () => {
  it.each([
    'a-wrong-key-repeats-the-screen-with-the-reason.txt',
    'read-about-prices-go-back-and-leave.txt',
    'sign-up-with-a-mistyped-pin-on-the-way-and-log-in.txt',
  ])('becomes a test with all external answers and without secrets: %s', (name) => {
    const { text = '', says } = writeTranscript(hadFrom(name), defaultFlow, facts);
    expect(says).toBeUndefined();
    for (const secret of ['48291', '73506', 'CAB12CD34']) expect(text).not.toContain(secret);
    expect(playTranscript(text, defaultFlow, facts)).toMatchObject({ screens: expect.any(Number) });
  });

  it('has the answers, and the facts that were shown', () => {
    const { text } = writeTranscript(
      hadFrom('sign-up-with-a-mistyped-pin-on-the-way-and-log-in.txt'),
      defaultFlow,
      facts,
    );
    expect(text).toContain('> {PIN 1}\n! createAccount → created customerId=C7K2M9PQ4\n');
    expect(text).toMatch(/! logIn → right .*shownName="Amina Banda"/);
  });

  it('has the SMS of an answer', () => {
    const flows = new URL('../../../../examples/mobile-money/flows/', import.meta.url);
    const [flow] = loadFlows(flows.pathname, facts);
    const transcript = readFileSync(new URL('default/transcripts/pay-a-bill.txt', flows), 'utf8');
    const { title, exchanges } = readTranscript(transcript);
    const had = exchanges.map(({ typed, message, closes, dials }) => ({ typed, message, closes, dials }));
    const { text } = writeTranscript({ title, phoneNumber, serviceCode: '*384#', exchanges: had }, flow, facts);
    expect(text).toBe(transcript);
  });

  it.each(['choose-a-bill-and-pay-it.txt', 'more-bills-than-a-page.txt', 'no-bills-and-no-answer.txt'])(
    'has the items shown on its screens: %s',
    (name) => {
      const bills = new URL('../../../../examples/pay-a-bill/flows/', import.meta.url);
      const [flow] = loadFlows(bills.pathname, facts);
      const { title, exchanges } = readTranscript(readFileSync(new URL(`default/transcripts/${name}`, bills), 'utf8'));
      const had = exchanges.map(({ typed, message, closes, dials }) => ({ typed, message, closes, dials }));
      const { text = '', says } = writeTranscript(
        { title, phoneNumber, serviceCode: '*384#', exchanges: had },
        flow,
        facts,
      );
      expect(says).toBeUndefined();
      expect(playTranscript(text, flow, facts)).toMatchObject({ screens: had.length });
      const written = readTranscript(text).exchanges;
      for (const [index, { answers }] of exchanges.entries()) {
        for (const [at, { operation, result, lists }] of answers.entries()) {
          expect(written[index]?.answers[at]).toMatchObject({ operation, result });
          expect(written[index]?.answers[at]?.lists['bills']?.length).toBe(lists['bills']?.length);
        }
      }
    },
  );

  it('with an unturned page has one more item than shown', () => {
    const bills = new URL('../../../../examples/pay-a-bill/flows/', import.meta.url);
    const [flow] = loadFlows(bills.pathname, facts);
    const transcript = readFileSync(new URL('default/transcripts/more-bills-than-a-page.txt', bills), 'utf8');
    const { title, exchanges } = readTranscript(transcript);
    const had = exchanges.slice(0, 2).map(({ typed, message, closes, dials }) => ({ typed, message, closes, dials }));
    const { text = '' } = writeTranscript({ title, phoneNumber, serviceCode: '*384#', exchanges: had }, flow, facts);
    expect(text.match(/^! bills\[/gm)).toHaveLength(6);
  });

  it('that is impossible is refused, with the screen', () => {
    const had = hadFrom('read-about-prices-go-back-and-leave.txt');
    const [dial, second, ...others] = had.exchanges;
    if (dial === undefined || second === undefined) throw new Error('too short');
    const changed = { ...had, exchanges: [dial, { ...second, message: 'Something else' }, ...others] };
    expect(writeTranscript(changed, defaultFlow, facts)).toEqual({
      says: 'screen 2 cannot be played again: on a phone that is new it shows "Information Center"',
    });
    expect(writeTranscript({ ...had, exchanges: had.exchanges.slice(1) }, defaultFlow, facts)).toEqual({
      says: 'the recording does not begin with a dial',
    });
  });
});
