import { describe, expect, it } from 'vitest';
import { slowestFiles, slowestLines } from './slowest-files.mjs';

const fileOf = (name: string, collectDuration: number, duration: number) => ({
  relativeModuleId: name,
  project: { name: 'services/one' },
  diagnostic: () => ({ collectDuration, duration }),
});

describe('the slowest files', () => {
  it('are told by what importing and running them took together, slowest first', () => {
    const files = slowestFiles([fileOf('a.test.ts', 900, 0), fileOf('b.test.ts', 100, 2_400)]);
    expect(slowestLines(files)).toEqual([
      'The slowest files:',
      '    2.5 s  services/one/b.test.ts',
      '    0.9 s  services/one/a.test.ts',
      '',
    ]);
  });

  it('are twenty at the most, and nothing is said of none', () => {
    expect(slowestFiles(Array.from({ length: 30 }, (_, at) => fileOf(`${at}.test.ts`, at, 0)))).toHaveLength(20);
    expect(slowestLines([])).toEqual([]);
  });
});
