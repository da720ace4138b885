import { describe, expect, it } from 'vitest';
import { interpretText, type KnownSession, type TextMark, type TextMode } from './find-new-input.js';

const mac = (text: string) => `mac:${text}`;
const mark = (text: string): TextMark => ({ length: text.length, mac: mac(text) });
const read = (text: string, known: KnownSession, mode: TextMode = 'auto') => interpretText(text, known, { mode, mac });
const live = (...texts: string[]): KnownSession => ({ phase: 'live', marks: texts.map(mark) });
const gone = (ended: boolean, ...texts: string[]): KnownSession => ({ phase: 'past', ended, marks: texts.map(mark) });

describe('the text of a live session', () => {
  it('is a retry when it equals the last', () => {
    expect(read('1*2', live('', '1', '1*2'))).toEqual({ kind: 'repeat' });
  });

  it('has one more input if it extends the last', () => {
    expect(read('1*2', live('', '1'))).toEqual({ kind: 'input', input: '2', marks: ['', '1', '1*2'].map(mark) });
  });

  it('may have the separator as its input, also repeated', () => {
    expect(read('1**', live('1'))).toMatchObject({ kind: 'input', input: '*' });
    expect(read('1***', live('1'))).toMatchObject({ kind: 'input', input: '**' });
    expect(read('2*Ann*Lee', live('2'))).toMatchObject({ kind: 'input', input: 'Ann*Lee' });
  });

  it('may have an empty input', () => {
    expect(read('1*', live('1'))).toMatchObject({ kind: 'input', input: '' });
  });

  it('never reads two separators inside the earlier text as an exit', () => {
    expect(read('1**2', live('1*'))).toMatchObject({ kind: 'input', input: '2' });
  });

  it('is a late retry if it is a shorter text already processed', () => {
    expect(read('1', live('', '1', '1*2'))).toEqual({ kind: 'repeat' });
  });

  it('does not extend the last if only its characters do', () => {
    expect(read('12', live('', '1'))).toMatchObject({ kind: 'input', input: '12' });
  });

  it('restarts the session if it is empty', () => {
    expect(read('', live('', '1'))).toEqual({ kind: 'dial', marks: [mark('')] });
  });

  it('repeats the dial if no input followed it', () => {
    expect(read('', live(''))).toEqual({ kind: 'repeat' });
  });

  it('right after the dial has all inputs, even if a hop was lost', () => {
    expect(read('1', live(''))).toEqual({ kind: 'input', input: '1', marks: [mark('1')] });
    expect(read('1*2', live(''))).toMatchObject({
      kind: 'replay',
      from: 'here',
      inputs: [{ input: '1' }, { input: '2' }],
      marks: [mark('1'), mark('1*2')],
    });
    expect(read('*', live(''))).toMatchObject({ kind: 'input', input: '*' });
  });

  it('is one input if the gateway sends only the last key', () => {
    expect(read('3', live('', '1'))).toEqual({ kind: 'input', input: '3', marks: [mark('3')] });
    expect(read('*', live('', '1'))).toEqual({ kind: 'input', input: '*', marks: [mark('*')] });
  });

  it('has all inputs if the gateway is known to accumulate', () => {
    expect(read('2*1', live('', '1'), 'accumulated')).toMatchObject({
      kind: 'replay',
      from: 'start',
      inputs: [{ input: '2' }, { input: '1' }],
    });
  });

  it('is always a new input if the gateway is known to send the last key only', () => {
    expect(read('1', live('1'), 'latest')).toEqual({ kind: 'input', input: '1', marks: [mark('1')] });
    expect(read('1*2', live('1'), 'latest')).toMatchObject({ kind: 'input', input: '1*2' });
  });
});

describe('the text of an unknown session', () => {
  it('is a dial if empty', () => {
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

describe('the text of a closed session', () => {
  it('returns the stored END if it repeats the last hop', () => {
    expect(read('1**', gone(true, '1', '1**'))).toEqual({ kind: 'repeat' });
  });

  it('is refused otherwise', () => {
    expect(read('1***1', gone(true, '1', '1**'))).toEqual({ kind: 'expired' });
    expect(read('1', gone(false, '', '1'))).toEqual({ kind: 'expired' });
    expect(read('1*2', gone(false, '', '1'))).toEqual({ kind: 'expired' });
  });

  it('dials again if empty', () => {
    expect(read('', gone(true, '', '*'))).toEqual({ kind: 'dial', marks: [mark('')] });
    expect(read('', gone(false, ''))).toEqual({ kind: 'dial', marks: [mark('')] });
  });
});

it('marks of texts are bounded in number', () => {
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
