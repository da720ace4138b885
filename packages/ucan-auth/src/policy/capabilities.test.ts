import { describe, expect, it } from 'vitest';
import { coversAbility, coversResource } from './capabilities.js';

describe('coversResource', () => {
  it.each([
    ['ixo:oracle', 'ixo:oracle'],
    ['ixo:*', 'ixo:oracle'],
    ['ixo:oracle/*', 'ixo:oracle/session/1'],
    ['ixo:oracle:*', 'ixo:oracle:one'],
    ['ixo:*', 'ixo:oracle/*'],
  ])('%s covers %s', (granted, claimed) => {
    expect(coversResource(granted, claimed)).toBe(true);
  });

  it.each([
    ['ixo:or*', 'ixo:oracle'],
    ['ixo:oracle*', 'ixo:oracle'],
    ['ixo:oracle/*', 'ixo:oracle'],
    ['ixo:oracle/*', 'ixo:oracle/'],
    ['ixo:oracle/*', 'ixo:oracle2/x'],
    ['ixo:oracle/*', 'ixo:oracle/../other'],
    ['ixo:oracle', 'ixo:oracle/x'],
    ['*', 'ixo:oracle'],
    ['IXO:*', 'ixo:oracle'],
  ])('%s does not cover %s', (granted, claimed) => {
    expect(coversResource(granted, claimed)).toBe(false);
  });
});

describe('coversAbility', () => {
  it('accepts equal abilities, `*` and families', () => {
    expect(
      [
        ['a/b', 'a/b'],
        ['*', 'a/b'],
        ['a/*', 'a/b'],
        ['a/*', 'a/b/c'],
      ].map(([granted = '', claimed = '']) => coversAbility(granted, claimed)),
    ).toEqual([true, true, true, true]);
    expect(
      [
        ['a/*', 'ab/c'],
        ['a/b', 'a/bc'],
        ['a/*', '*'],
        ['a/', 'a/b'],
      ].map(([granted = '', claimed = '']) => coversAbility(granted, claimed)),
    ).toEqual([false, false, false, false]);
  });
});
