import { describe, expect, it } from 'vitest';
import { knownCodes } from './adapter-rules.fixture.js';
import { looksDialled, readDialled, readPossibleDial, readShared } from './dialled.js';

const none = knownCodes();
const some = knownCodes('*384#', '*384*5#', '*928*01#');

describe('a dialled text', () => {
  it.each(['*713#', '713', '*713', '', 'hello', '*999*1#'])('has no shortcut in %j', (dialled) => {
    expect(readDialled(dialled, '*713#', none)).toEqual({ serviceCode: '*713#', text: '' });
  });

  it('has the part after the code sent by the gateway as its shortcut', () => {
    expect(readDialled('*713*1*2#', '*713#', none)).toEqual({ serviceCode: '*713#', text: '1*2' });
    expect(readDialled('*384*5*1#', '*384*5#', none)).toEqual({ serviceCode: '*384*5#', text: '1' });
    expect(readDialled('*7131*2#', '*713#', none).text).toBe('');
  });

  it.each([
    ['*384#', '*384#', ''],
    ['*384*1*2#', '*384#', '1*2'],
    ['384*1', '*384#', '1'],
    ['*384*5*1', '*384*5#', '1'],
    ['*928*01*3#', '*928*01#', '3'],
    ['*928*02#', '*928*02#', ''],
    ['*3840*1#', '*3840*1#', ''],
  ])('%s begins with the longest code of the settings if the gateway sends none', (dialled, serviceCode, text) => {
    expect(readDialled(dialled, undefined, some)).toEqual({ serviceCode, text });
  });

  it('is the code itself if neither the gateway nor a setting names one', () => {
    expect(readDialled('*928*01#', undefined, none)).toEqual({ serviceCode: '*928*01#', text: '' });
    expect(readDialled('hello', undefined, none)).toEqual({ serviceCode: '', text: '' });
  });

  it('differs from an input by its form', () => {
    expect(['*115#', '*384*1#'].every(looksDialled)).toBe(true);
    expect(['', '1', '*', '1*2', '*1', '#', '*#', '115#'].some(looksDialled)).toBe(false);
  });
});

describe('an input that may be a dial', () => {
  it('is a dial if it begins with a code of the settings', () => {
    expect(readPossibleDial('384', some)).toEqual({ serviceCode: '*384#', text: '' });
    expect(readPossibleDial('384*5*2', some)).toEqual({ serviceCode: '*384*5#', text: '2' });
    expect(['2', '712', '38', 'John', '', '*'].map((input) => readPossibleDial(input, some))).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
  });

  it('is a dial if it has the form of a code and every code is served', () => {
    expect(readPossibleDial('712', none)).toEqual({ serviceCode: '*712#', text: '' });
    expect(readPossibleDial('', none)).toEqual({ serviceCode: '', text: '' });
    expect(readPossibleDial('John', none)).toBeUndefined();
  });
});

describe('a text behind a shared code', () => {
  const shared = knownCodes('*415*33#', '*415*33*7#', '*384#');

  it.each([
    ['33', '*415*33#', ''],
    ['33*1*2', '*415*33#', '1*2'],
    ['33*Amina*2', '*415*33#', 'Amina*2'],
    ['33*7*1', '*415*33*7#', '1'],
    ['*415*33#', '*415*33#', ''],
    ['*415*33*1#', '*415*33#', '1'],
    ['*415#', '*415#', ''],
    ['34*1', '*415#', '34*1'],
    ['1*33', '*415#', '1*33'],
    ['330', '*415#', '330'],
    ['*4150*33#', '*415#', '*4150*33#'],
    ['', '*415#', ''],
    ['*', '*415#', '*'],
    ['33**', '*415*33#', '*'],
    [`${'1*'.repeat(1000)}1`, '*415#', `${'1*'.repeat(1000)}1`],
  ])('%s belongs to the longest code of the settings that it begins with', (text, serviceCode, rest) => {
    expect(readShared(text, '*415#', shared)).toEqual({ serviceCode, text: rest });
  });
});
