import { describe, expect, it } from 'vitest';
import { clash, readServiceCodes, routeCodes } from './service-codes.js';

const codes = (written: string) => {
  const read = readServiceCodes(written);
  if (read === undefined) throw new Error(`${written} is no code`);
  return read;
};
const route = (written: string, to = written) => ({ codes: codes(written), to });

describe('service codes', () => {
  it.each(['*384*1#', '*384#', '*1*2*3#', '*384*10-19#', '*384*007#'])('are written as %s', (written) => {
    expect(readServiceCodes(written)).toMatchObject({ written });
  });

  it.each([
    '384',
    '*384',
    '384#',
    '*384*#',
    '*384*19-10#',
    '*384*1-10#',
    '*384*1-2-3#',
    '*1-2*3#',
    '',
    '*384*1# ',
    '**1#',
  ])('are not written as "%s"', (written) => expect(readServiceCodes(written)).toBeUndefined());

  it('match as written, a single code before a range', () => {
    const find = routeCodes([route('*384*10-19#', 'range'), route('*384*12#', 'one'), route('*384*7#', 'seven')]);
    expect(['*384*10#', '*384*19#', '*384*12#', '*384*7#'].map(find)).toEqual(['range', 'range', 'one', 'seven']);
  });

  it('match nothing else: each digit counts, including leading ones', () => {
    const find = routeCodes([route('*384*10-19#'), route('*384*7#')]);
    for (const dialled of ['*384*20#', '*384*9#', '*384*010#', '*384*07#', '*385*10#', '*384*10*1#', '*384#', '', 'x'])
      expect(find(dialled)).toBeUndefined();
  });

  it('overlap if they have a common code', () => {
    const clashes = (one: string, other: string) => [clash(codes(one), codes(other)), clash(codes(other), codes(one))];
    expect(clashes('*384*1#', '*384*1#')).toEqual([true, true]);
    expect(clashes('*384*10-19#', '*384*19-30#')).toEqual([true, true]);
    expect(clashes('*384*10-19#', '*384*12#')).toEqual([false, false]);
    expect(clashes('*384*10-19#', '*384*20-29#')).toEqual([false, false]);
    expect(clashes('*384*100-190#', '*384*10-19#')).toEqual([false, false]);
    expect(clashes('*384*10-19#', '*385*10-19#')).toEqual([false, false]);
  });
});
