import { describe, expect, it } from 'vitest';
import {
  type Interpretation,
  interpretPress,
  type KeyPress,
  type KnownSession,
  type TextMark,
} from './find-new-input.js';

const mac = (text: string) => `mac:${text}`;
const press = (change: Partial<KeyPress> = {}): KeyPress => ({ dials: false, ...change });
const read = (text: string, known: KnownSession, how: KeyPress, isUnseen = false) =>
  interpretPress(text, how, known, { mac, isUnseen });
const none: KnownSession = { phase: 'none' };

function marksOf(asked: Interpretation): readonly TextMark[] {
  if (!('marks' in asked)) throw new Error(`a ${asked.kind} leaves no marks`);
  return asked.marks;
}
const live = (asked: Interpretation): KnownSession => ({ phase: 'live', marks: marksOf(asked) });
const gone = (asked: Interpretation, ended: boolean): KnownSession => ({ phase: 'past', marks: marksOf(asked), ended });

describe('an input with a sequence number of the gateway', () => {
  const numbered = (delivery: string, dials = false) => press({ delivery, dials });
  const dialled = read('', none, numbered('1', true));
  const pressed = read('1', live(dialled), numbered('2'));

  it('is new if the same key has the next number, at any interval', () => {
    expect(read('1', live(pressed), numbered('3'))).toMatchObject({ kind: 'input', input: '1' });
  });

  it('is a retry if its number was processed, even late', () => {
    expect(read('1', live(pressed), numbered('2'))).toEqual({ kind: 'repeat' });
    const further = read('2', live(pressed), numbered('3'));
    expect(read('1', live(further), numbered('2'))).toEqual({ kind: 'repeat' });
    expect(read('', live(further), numbered('1', true))).toEqual({ kind: 'repeat' });
  });
});

describe('an input without a sequence number', () => {
  const dialled = read('', none, press({ dials: true }));
  const pressed = read('1', live(dialled), press());

  it('is a retry if the user cannot have seen the last reply', () => {
    expect(read('1', live(pressed), press(), true)).toEqual({ kind: 'repeat' });
  });

  it('is new if it equals the last one and the last reply was delivered', () => {
    expect(read('1', live(pressed), press())).toMatchObject({ kind: 'input' });
  });

  it('is new if it differs from the last one, at any interval', () => {
    expect(read('2', live(pressed), press(), true)).toMatchObject({ kind: 'input', input: '2' });
  });

  it('may hold the separator, and may be empty', () => {
    expect(read('1*2', live(dialled), press())).toMatchObject({ kind: 'input', input: '1*2' });
    expect(read('', live(pressed), press())).toMatchObject({ kind: 'input', input: '' });
  });
});

describe('a dial', () => {
  it('starts at the main menu in any session', () => {
    const pressed = read('1', live(read('', none, press({ dials: true }))), press());
    for (const known of [none, live(pressed), gone(pressed, true), gone(pressed, false)]) {
      expect(read('', known, press({ dials: true }))).toMatchObject({ kind: 'dial' });
    }
  });

  it('with more than the service code is replayed from the start', () => {
    expect(read('1*2', none, press({ dials: true }))).toMatchObject({
      kind: 'replay',
      from: 'start',
      inputs: [{ input: '1' }, { input: '2' }],
    });
  });
});

it('an input of an unknown session is a dial only if the gateway does not mark dials', () => {
  const bare = press({ dialIfUnknown: { serviceCode: '*115#', text: '' } });
  expect(read('115', none, bare)).toMatchObject({ kind: 'dial' });
  expect(read('115', { phase: 'past', marks: [], ended: true }, bare)).toEqual({ kind: 'expired' });
});

describe('an input of a closed session', () => {
  const pressed = read('9', live(read('', none, press({ dials: true }))), press());

  it('is a retry if it ended the session', () => {
    expect(read('9', gone(pressed, true), press())).toEqual({ kind: 'repeat' });
  });

  it('is otherwise answered with a request to dial again, like one of an unknown session, since earlier inputs are missing', () => {
    expect(read('1', gone(pressed, true), press())).toEqual({ kind: 'expired' });
    expect(read('9', gone(pressed, false), press())).toEqual({ kind: 'expired' });
    expect(read('1', none, press())).toEqual({ kind: 'expired' });
  });
});
