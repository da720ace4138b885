import { describe, expect, it } from 'vitest';
import { GatewayHandset } from './gateway-handset.js';
import { Placeholders } from './play-transcript.js';
import { readTranscript } from './read-transcript.js';
import { printTranscript } from './transcript.js';
import { maskSecrets } from './write-transcript.js';

const exchange = (typed: string, message: string, closes = false) => ({ typed, message, closes });

describe('a transcript', () => {
  it('is read as it was printed', () => {
    const transcript = {
      title: 'A dialogue',
      exchanges: [
        exchange('*384#', 'Welcome\n\n1. More'),
        exchange('', 'Wrong'),
        { ...exchange('**', 'Bye', true), sms: 'Two\n\nlines' },
      ],
    };
    expect(readTranscript(printTranscript(transcript))).toMatchObject(transcript);
  });

  it.each(['Hello', '> 1', '| Screen', '# T\ndial *1#\n| a\nEND', 'dial *1#\n| a\nsms | b\n| c'])(
    'refuses %j and names the line',
    (text) => {
      const lines = text.split('\n');
      const words = lines.at(-1);
      expect(() => readTranscript(text)).toThrow(expect.objectContaining({ line: lines.length, words }));
      expect(() => readTranscript(text)).toThrow(
        'this line is out of place: a line is "# title", "at 2026-01-05T21:00+03:00", "dial *384#"',
      );
    },
  );

  it.each(['dial *1# \n| a', 'dial *1#\n| a\t', 'dial *1#\n! look → found \n| a', 'dial *1#\nEND \n| a'])(
    'refuses %j, which ends with blanks',
    (text) => {
      const line = text.split('\n').findIndex((one) => /\s$/.test(one)) + 1;
      expect(() => readTranscript(text)).toThrow('this line ends with blanks: remove them');
      expect(() => readTranscript(text)).toThrow(expect.objectContaining({ line }));
    },
  );

  it('may have the blank of a sign before an empty line of a screen and an empty input', () =>
    expect(
      readTranscript('dial *1#\n| a\n| \n| b\n\n> \n| c\n').exchanges.map(({ typed, message }) => [typed, message]),
    ).toEqual([
      ['*1#', 'a\n\nb'],
      ['', 'c'],
    ]));
});

describe('a masked session', () => {
  it('has no PIN and no Customer ID, and equal PINs have one placeholder', () => {
    const masked = maskSecrets([
      exchange('*384#', 'Welcome\n2. Change PIN'),
      exchange('2', 'Choose a 5-digit PIN:\n0. Back'),
      exchange('48291', 'Confirm your 5-digit PIN:\n0. Back'),
      exchange('48292', 'The PINs differ.\nChoose a 5-digit PIN:\n0. Back'),
      exchange('48291', 'Confirm your 5-digit PIN:\n0. Back'),
      exchange('0', 'Your Customer ID: CAB12CD34'),
      exchange('cab12cd34', 'Enter your PIN:\n0. Back'),
      exchange('48291', 'Welcome, Ann!'),
    ]);
    expect(masked.map(({ typed }) => typed)).toEqual([
      '*384#',
      '2',
      '{PIN 1}',
      '{PIN 2}',
      '{PIN 1}',
      '0',
      '{Customer ID}',
      '{PIN 1}',
    ]);
    const text = printTranscript({ title: 't', exchanges: masked });
    for (const secret of ['48291', '48292', 'CAB12CD34', 'cab12cd34']) expect(text).not.toContain(secret);
  });

  it('has no PIN and no Customer ID in digits of another script', () => {
    const masked = maskSecrets([
      exchange('*384#', 'Choose a 5-digit PIN:\n0. Back'),
      exchange('٤٨٢٩١', 'Confirm your 5-digit PIN:\n0. Back'),
      exchange('48291', 'Note:'),
      exchange('رقم ٧', 'Enter your Customer ID:\n0. Back'),
      exchange('C٧K٢M٩PQ٤', 'Enter your PIN:\n0. Back'),
    ]);
    expect(masked.map(({ typed }) => typed)).toEqual(['*384#', '{PIN 1}', '{PIN 1}', 'رقم ٧', '{Customer ID}']);
  });

  it('has no PIN that was typed on another screen', () => {
    const masked = maskSecrets([
      exchange('*384#', 'Enter your Customer ID to log in:\n0. Back'),
      exchange('48291', 'A Customer ID is C and 8 characters.'),
      exchange('CAB12CD34', 'Enter your PIN:\n0. Back'),
      exchange('48291', 'Welcome, Ann!'),
    ]);
    expect(masked.map(({ typed }) => typed)).toEqual(['*384#', '{PIN 1}', '{Customer ID}', '{PIN 1}']);
  });
});

describe('placeholders', () => {
  it('are learned from a screen, and stay valid', () => {
    const known = new Placeholders({ 'PIN 1': '48291' });
    expect(known.fill('{PIN 1}')).toBe('48291');
    expect(() => known.fill('{Customer ID}')).toThrow('{Customer ID}');
    expect(known.expect('Your ID: {Customer ID}.', 'Your ID: C1.')).toBe('Your ID: C1.');
    expect(known.fill('{Customer ID}')).toBe('C1');
    expect(known.expect('Your ID: {Customer ID}.', 'Your ID: C2.')).toBe('Your ID: C1.');
  });
});

describe('a handset', () => {
  it('accumulates inputs', async () => {
    const texts: string[] = [];
    const send = async ({ text }: { text: string }) => {
      texts.push(text);
      return 'CON Menu';
    };
    const handset = new GatewayHandset(send, { sessionId: 's', phoneNumber: '+260971230567', serviceCode: '*384#' });
    await handset.dial();
    for (const input of ['1', '2', '*']) await handset.type(input);
    expect(texts).toEqual(['', '1', '1*2', '1*2**']);
    expect(handset.exchanges).toHaveLength(4);
  });

  it('throws for a reply that is no screen', async () => {
    const session = { sessionId: 's', phoneNumber: '+260971230567', serviceCode: '*384#' };
    await expect(new GatewayHandset(async () => '{"statusCode":500}', session).dial()).rejects.toThrow(
      'neither CON nor END',
    );
  });
});
