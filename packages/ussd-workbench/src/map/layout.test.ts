import type { UssdMappedFlow } from '@mlango/schemas/ussd-flow-map';
import { describe, expect, it } from 'vitest';
import { edgeLabel, formatTime } from '../format.js';
import { layOut, screenSize } from './layout.js';

const nobody = { people: 0, medianMs: null, dropOff: null };

function flowOf(ways: readonly (readonly [string, string, number?])[]): UssdMappedFlow {
  const names = [...new Set(ways.flatMap((way) => way.slice(0, 2) as string[]))];
  return {
    ...{ id: 'default', version: 1, start: 'a', exit: 'z', languages: ['en'] },
    screens: names.map((screen) => ({
      ...{ screen, kind: 'menu', title: screen, visits: 0, dropOff: null, medianDwellMs: null },
    })),
    ways: ways.map(([from, to, people = 0]) => ({ from, to, by: ['1'], kind: 'written', ...nobody, people })),
  };
}

describe('the map of a flow', () => {
  it('shows each screen once, without overlap, and within its bounds', () => {
    const { screens, width, height } = layOut(
      flowOf([
        ['a', 'b'],
        ['a', 'c'],
        ['b', 'd', 4],
        ['c', 'd'],
        ['d', 'a'],
        ['d', 'z', 1],
      ]),
    );
    expect(screens.map(({ screen }) => screen).toSorted()).toEqual(['a', 'b', 'c', 'd', 'z']);
    for (const [index, one] of screens.entries()) {
      expect(one.x - screenSize.width / 2).toBeGreaterThanOrEqual(0);
      expect(one.x + screenSize.width / 2).toBeLessThanOrEqual(width);
      expect(one.y + screenSize.height / 2).toBeLessThanOrEqual(height);
      for (const other of screens.slice(index + 1)) {
        const apart = Math.abs(one.x - other.x) >= screenSize.width || Math.abs(one.y - other.y) >= screenSize.height;
        expect(apart, `${one.screen} and ${other.screen}`).toBe(true);
      }
    }
  });

  it('draws an edge from one screen to the next, and none from a screen to itself', () => {
    const { ways } = layOut(
      flowOf([
        ['a', 'b', 2],
        ['a', 'a', 3],
      ]),
    );
    expect(ways.map(({ from, to }) => [from, to])).toEqual([['a', 'b']]);
    const [way] = ways;
    expect(way?.points.length).toBeGreaterThan(1);
    expect(way?.points[0]?.y).toBeLessThan(way?.points.at(-1)?.y ?? 0);
  });

  it('has a place for a screen without incoming edges', () => {
    const flow = flowOf([['a', 'b']]);
    const alone = {
      ...flow,
      screens: [...flow.screens, { ...flow.screens[0], screen: 'offer' } as UssdMappedFlow['screens'][number]],
    };
    expect(layOut(alone).screens).toHaveLength(3);
  });
});

describe('the label of an edge', () => {
  it('shows visitors, time and drop-off', () => {
    const way = { from: 'a', to: 'b', by: [], kind: 'written' as const };
    expect(edgeLabel({ ...way, people: 12, medianMs: 4000, dropOff: 0.25 })).toBe('12 · 4 s · −25 %');
    expect(edgeLabel({ ...way, people: 12, medianMs: 4000, dropOff: 0 })).toBe('12 · 4 s');
    expect([450, 4210, 42_100, 130_000].map(formatTime)).toEqual(['450 ms', '4.2 s', '42 s', '2 min']);
  });
});
