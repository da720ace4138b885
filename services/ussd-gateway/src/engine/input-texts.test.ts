import { describe, expect, it } from 'vitest';
import { interpretText, type KnownSession, type TextMark, type TextMode } from './input.js';

const mac = (text: string) => `mac:${text}`;
const mark = (text: string): TextMark => ({ length: text.length, mac: mac(text) });
const read = (text: string, known: KnownSession, mode: TextMode = 'auto') => interpretText(text, known, { mode, mac });
const live = (...texts: string[]): KnownSession => ({ phase: 'live', marks: texts.map(mark) });
const gone = (ended: boolean, ...texts: string[]): KnownSession => ({ phase: 'gone', ended, marks: texts.map(mark) });

describe('the text of a live session', () => {
  it('is a retry when it equals the last', () => {
    expect(read('1*2', live('', '1', '1*2'))).toEqual({ kind: 'repeat' });
  });

  it('holds one input more when it extends the last', () => {
    expect(read('1*2', live('', '1'))).toEqual({ kind: 'input', input: '2', marks: ['', '1', '1*2'].map(mark) });
  });

  it('may hold the separator as its input, also more than once', () => {
    expect(read('1**', live('1'))).toMatchObject({ kind: 'input', input: '*' });
    expect(read('1***', live('1'))).toMatchObject({ kind: 'input', input: '**' });
    expect(read('2*Ann*Lee', live('2'))).toMatchObject({ kind: 'input', input: 'Ann*Lee' });
  });

  it('may hold an empty input', () => {
    expect(read('1*', live('1'))).toMatchObject({ kind: 'input', input: '' });
  });

  it('never takes two separators inside the earlier text for an exit', () => {
    expect(read('1**2', live('1*'))).toMatchObject({ kind: 'input', input: '2' });
  });

  it('is a late retry when it is a shorter text already processed', () => {
    expect(read('1', live('', '1', '1*2'))).toEqual({ kind: 'repeat' });
  });

  it('does not extend the last when only its characters do', () => {
    expect(read('12', live('', '1'))).toMatchObject({ kind: 'input', input: '12' });
  });

  it('starts again when it is empty', () => {
    expect(read('', live('', '1'))).toEqual({ kind: 'dial', marks: [mark('')] });
  });

  it('repeats the dial when nothing came after it', () => {
    expect(read('', live(''))).toEqual({ kind: 'repeat' });
  });

  it('right after the dial holds all inputs, also when a hop was lost', () => {
    expect(read('1', live(''))).toEqual({ kind: 'input', input: '1', marks: [mark('1')] });
    expect(read('1*2', live(''))).toMatchObject({
      kind: 'replay',
      from: 'here',
      inputs: [{ input: '1' }, { input: '2' }],
      marks: [mark('1'), mark('1*2')],
    });
    expect(read('*', live(''))).toMatchObject({ kind: 'input', input: '*' });
  });

  it('is one input of a caller that sends the last key alone', () => {
    expect(read('3', live('', '1'))).toEqual({ kind: 'input', input: '3', marks: [mark('3')] });
    expect(read('*', live('', '1'))).toEqual({ kind: 'input', input: '*', marks: [mark('*')] });
  });

  it('is the whole truth where callers are known to accumulate', () => {
    expect(read('2*1', live('', '1'), 'accumulated')).toMatchObject({
      kind: 'replay',
      from: 'start',
      inputs: [{ input: '2' }, { input: '1' }],
    });
  });

  it('is always a new input where callers are known to send the last key alone', () => {
    expect(read('1', live('1'), 'latest')).toEqual({ kind: 'input', input: '1', marks: [mark('1')] });
    expect(read('1*2', live('1'), 'latest')).toMatchObject({ kind: 'input', input: '1*2' });
  });
});

describe('the text of an unknown session', () => {
  it('is a dial when empty', () => {
    expect(read('', { phase: 'none' })).toEqual({ kind: 'dial', marks: [mark('')] });
  });

  it('is replayed from the start', () => {
    expect(read('1*2', { phase: 'none' })).toMatchObject({
      kind: 'replay',
      from: 'start',
      inputs: [{ input: '1' }, { input: '2' }],
    });
  });
});

describe('the text of a session that is over', () => {
  it('gets the stored END when it repeats the last hop of an ended one', () => {
    expect(read('1**', gone(true, '1', '1**'))).toEqual({ kind: 'repeat' });
  });

  it('is refused otherwise', () => {
    expect(read('1***1', gone(true, '1', '1**'))).toEqual({ kind: 'expired' });
    expect(read('1', gone(false, '', '1'))).toEqual({ kind: 'expired' });
    expect(read('1*2', gone(false, '', '1'))).toEqual({ kind: 'expired' });
  });

  it('dials again when empty', () => {
    expect(read('', gone(true, '', '*'))).toEqual({ kind: 'dial', marks: [mark('')] });
    expect(read('', gone(false, ''))).toEqual({ kind: 'dial', marks: [mark('')] });
  });
});

it('remembers a bounded number of texts', () => {
  let known = live('', '1');
  let text = '1';
  for (let hop = 0; hop < 80; hop++) {
    text += '*9';
    const result = read(text, known);
    if (!('marks' in result)) throw new Error(result.kind);
    known = { phase: 'live', marks: result.marks };
  }
  expect(known.phase === 'live' && known.marks.length).toBe(32);
});
