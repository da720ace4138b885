import { describe, expect, it } from 'vitest';
import { isAllowed } from './licence-expression.mjs';
import { findRefusedLicences } from './licences.mjs';

const allowed = new Set(['MIT', 'Apache-2.0', 'BSD-3-Clause']);

describe('isAllowed', () => {
  it.each([
    'MIT',
    '(MIT)',
    'AFL-2.1 OR BSD-3-Clause',
    '(MIT AND Apache-2.0)',
    'GPL-3.0 AND MIT OR MIT',
    'Apache-2.0 WITH LLVM-exception',
  ])('%s can be met', (expression) => expect(isAllowed(expression, allowed)).toBe(true));

  it.each([
    'GPL-3.0',
    'MIT AND GPL-3.0',
    'MIT AND (GPL-3.0 OR SSPL-1.0)',
    '',
    'Unknown',
    'SEE LICENSE IN LICENSE',
    '(MIT',
    'MIT MIT',
  ])('%j can not', (expression) => expect(isAllowed(expression, allowed)).toBe(false));
});

describe('findRefusedLicences', () => {
  it('names the package, its versions and its licence', () => {
    const listed = {
      MIT: [{ name: 'good', versions: ['1.0.0'] }],
      'SSPL-1.0': [{ name: 'bad', versions: ['1.0.0', '2.0.0'] }],
    };
    expect(findRefusedLicences(listed)).toEqual(['bad@1.0.0, 2.0.0: SSPL-1.0']);
  });
});
