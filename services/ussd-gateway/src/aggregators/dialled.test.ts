import { describe, expect, it } from 'vitest';
import { looksDialled, readDialled } from './dialled.js';

describe('what was dialled', () => {
  it.each(['*713#', '713', '*713', '', 'hello', '*999*1#'])('holds no shortcut in %j', (dialled) => {
    expect(readDialled(dialled, '*713#')).toEqual({ serviceCode: '*713#', text: '' });
  });

  it('holds what follows a code that is known', () => {
    expect(readDialled('*713*1*2#', '*713#')).toEqual({ serviceCode: '*713#', text: '1*2' });
    expect(readDialled('*384*5*1#', '*384*5#')).toEqual({ serviceCode: '*384*5#', text: '1' });
    expect(readDialled('*7131*2#', '*713#').text).toBe('');
  });

  it('is all of it the code where that is not known', () => {
    expect(readDialled('*928*01#', undefined)).toEqual({ serviceCode: '*928*01#', text: '' });
    expect(readDialled('hello', undefined)).toEqual({ serviceCode: '', text: '' });
  });

  it('is told from an input by its form', () => {
    expect(['*115#', '*384*1#'].every(looksDialled)).toBe(true);
    expect(['', '1', '*', '1*2', '*1', '#', '*#', '115#'].some(looksDialled)).toBe(false);
  });
});
