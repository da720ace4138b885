import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildFlow } from '../flows/build-flow.js';
import { readFlow } from '../flows/read-flow.js';
import { loadFlows } from '../tenants/load-flows.fixture.js';
import { playTranscript, printPlayed } from './play-transcript.js';
import { readTranscript } from './read-transcript.js';
import { printTranscript } from './transcript.js';

const folder = new URL('../../../../examples/mobile-money/flows/default/', import.meta.url).pathname;
const facts = { appName: 'Mlango' };
const read = readFlow(folder, facts);
if (read.problems !== undefined) throw new Error(JSON.stringify(read.problems));
const { flow } = buildFlow(read.source);
const written = (name: string) => readFileSync(`${folder}transcripts/${name}.txt`, 'utf8');
const payBill = written('pay-a-bill');
const play = (text: string) => playTranscript(text, flow, facts);

describe('a transcript played without a gateway', () => {
  it.each(['pay-a-bill', 'hang-up-and-dial-again', 'no-reply'])('has its written screens: %s', (name) => {
    expect(play(written(name))).toMatchObject({ screens: expect.any(Number) });
  });

  it.each<[string, (text: string) => string, string | RegExp | undefined]>([
    [
      'has no answer for an operation',
      (text) => text.replace('! quote → found fee=3\n', ''),
      '"quote" needs an answer before the screen: ! quote → one of found, unanswered',
    ],
    [
      'has a surplus answer',
      (text) => text.replace('> 5\n', '> 5\n! quote → found fee=3\n'),
      '"quote" is not requested here',
    ],
    ['answers something else', (text) => text.replace('! quote', '! pay'), /^"quote" needs an answer/],
    [
      'answers an unknown operation',
      (text) => text.replace('! quote', '! fee'),
      '"fee" is no operation of this flow, which has quote, pay, smsReceipt',
    ],
    [
      'types a value that no screen has shown',
      (text) => text.replace('> 250', '> {Customer ID}'),
      'no screen has shown {Customer ID} yet',
    ],
    [
      'has an invalid result',
      (text) => text.replace('→ paid', '→ won'),
      'the result of "pay" is one of pending, paid, refused, unanswered',
    ],
    [
      'has a pending query',
      (text) => text.replace('→ found fee=3', '→ pending'),
      'the result of "quote" is one of found, unanswered',
    ],
    [
      'has an unknown fact',
      (text) => text.replace('receipt=', 'reference='),
      '"pay" as "paid" has no fact "reference", only receipt',
    ],
    ['lacks an SMS', (text) => text.replace(/sms .*\n/, ''), undefined],
    ['has an SMS that is not sent', (text) => text.replace('\n\n> 250', '\nsms | Hello\n\n> 250'), undefined],
    [
      'continues after the end',
      (text) => `${text}\n> 1\n| Hello\n`,
      'the session has ended: only a dial comes after it',
    ],
  ])('that %s is refused with the reason', (_what, change, reason) => {
    const changed = change(payBill);
    expect(changed).not.toBe(payBill);
    const { failed } = play(changed);
    expect(failed).toBeDefined();
    if (reason instanceof RegExp) expect(failed?.reason).toMatch(reason);
    else expect(failed?.reason).toBe(reason);
  });

  describe('with a list', () => {
    const bills = new URL('../../../../examples/pay-a-bill/flows/', import.meta.url).pathname;
    const [listing] = loadFlows(bills, facts);
    const chosen = readFileSync(`${bills}default/transcripts/choose-a-bill-and-pay-it.txt`, 'utf8');
    const items = /! bills\[1\](?:.*\n! bills)*.*\n/;

    it('is written with its items as read', () => {
      const { title, exchanges } = readTranscript(chosen);
      expect(printTranscript({ title, exchanges })).toBe(chosen);
    });

    it.each<[string, string | RegExp, string, string]>([
      [
        'no items',
        items,
        '',
        '"findBills" as "found" gives a list: write its items below, ! bills[1] name=… amount=… reference=… state=…',
      ],
      ['another list', /! bills/g, '! debts', '"findBills" as "found" gives no list "debts"'],
      ['items of another result', '→ found', '→ empty', '"findBills" as "empty" gives no list "bills"'],
      [
        'a value that does not match its declaration',
        'amount=90',
        'amount=ninety',
        '"findBills" has no amount of at most 9 characters in "amount" of item 3 of "bills": items are written ! bills[1] name=… amount=… reference=… state=…',
      ],
    ])('is refused with the reason if %s', (_what, before, after, reason) => {
      const changed = chosen.replace(before, after);
      expect(changed).not.toBe(chosen);
      expect(playTranscript(changed, listing, facts).failed?.reason).toBe(reason);
    });

    it.each([
      ['! bills[2] name', '! bills[3] name'],
      ['! bills[1] name', '! bills[0] name'],
      ['! findBills → found\n', ''],
    ])('with items out of order is invalid: %j', (before, after) =>
      expect(() => playTranscript(chosen.replace(before, after), listing, facts)).toThrow(
        /out of place: .*! list\[1\]/,
      ),
    );
  });

  it('prints differing screens side by side, with the line of the input', () => {
    const played = play(payBill.replace('| You pay 250, and a fee of 3.\n| 1. Pay', '| You pay 250.\n| 1. Pay'));
    expect(printPlayed('pay.txt', played)).toBe(
      [
        '✗ pay.txt: Pay a bill, and confirm it on the phone',
        '  line 17, "250":',
        '    written                                           shown',
        '    You pay 250.                                   ≠  You pay 250, and a fee of 3.',
        '    1. Pay                                            1. Pay',
        '    0. Back                                           0. Back',
      ].join('\n'),
    );
    expect(printPlayed('pay.txt', play(payBill))).toBe(
      '✓ pay.txt: Pay a bill, and confirm it on the phone (6 screens)',
    );
  });

  it('names the line of an answer without an operation', () => {
    const { failed } = play(payBill.replace('! quote', '! fee'));
    const { failed: unanswered } = play(payBill.replace('! quote → found fee=3\n', ''));
    expect(failed?.line).toBe((unanswered?.line ?? 0) + 1);
  });

  it('may have Windows or old Mac line ends and a byte order mark', () => {
    for (const end of ['\r\n', '\r'])
      expect(play(`\uFEFF${payBill.replaceAll('\n', end)}`)).toMatchObject({ screens: 6 });
  });

  it('may have blanks at the end of a screen line', () => {
    const texts = Object.entries(flow.texts).map(([language, own]) => [
      language,
      Object.fromEntries(Object.entries(own).map(([key, text]) => [key, `${text}  `])),
    ]);
    expect(playTranscript(payBill, { ...flow, texts: Object.fromEntries(texts) }, facts)).toMatchObject({ screens: 6 });
  });

  it('cuts and cleans external answers as the gateway does', () => {
    const text = payBill
      .replace('receipt=MM000001', 'receipt="a receipt that is too long"')
      .replaceAll('MM000001', 'a receipt...');
    expect(play(text)).toMatchObject({ screens: 6 });
  });
});
