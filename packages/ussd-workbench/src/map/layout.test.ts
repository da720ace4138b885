import type { UssdMappedFlow } from '@mlango/schemas/ussd-flow-map';
import { describe, expect, it } from 'vitest';
import { formatCount, formatShare, formatTime } from '../format.js';
import { labelGap, labelSize, layOut, screenSize } from './layout.js';

const unused = { people: 0, medianMs: null, dropOff: null };

function flowOf(ways: readonly (readonly [string, string, number?])[]): UssdMappedFlow {
  const names = [...new Set(ways.flatMap((way) => way.slice(0, 2) as string[]))];
  return {
    id: 'default',
    version: 1,
    start: 'a',
    exit: 'z',
    languages: ['en'],
    screens: names.map((screen) => ({
      screen,
      kind: 'menu',
      title: screen,
      visits: 0,
      dropOff: null,
      medianDwellMs: null,
    })),
    ways: ways.map(([from, to, people = 0]) => ({ from, to, by: ['1'], kind: 'written', ...unused, people })),
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

  it('has the start on top, also if another screen leads to it', () => {
    const { screens } = layOut(
      flowOf([
        ['b', 'c'],
        ['a', 'b'],
        ['c', 'a'],
        ['d', 'b'],
      ]),
    );
    const [top] = screens.toSorted((one, other) => one.y - other.y);
    expect([top?.screen, top?.isStart, screens.filter(({ y }) => y === top?.y)]).toMatchObject(['a', true, [{}]]);
  });

  it('draws lines from one row to the next only, and lists all other ways', () => {
    const { ways, screens } = layOut(
      flowOf([
        ['a', 'b', 2],
        ['a', 'a', 3],
        ['b', 'c'],
        ['c', 'a', 5],
        ['a', 'd'],
        ['d', 'b'],
      ]),
    );
    expect(ways.map(({ from, to }) => `${from}${to}`)).toEqual(['ab', 'bc', 'ad']);
    expect(screens.map(({ screen, alsoTo }) => [screen, ...alsoTo].join(' '))).toEqual(['a', 'b', 'c a', 'd b']);
  });

  it('places no label on a line or a screen', () => {
    const random = [0, 1, 2, 3].flatMap((row) =>
      Array.from({ length: 9 }, (_, at): [string, string, number] => [
        `${row}-${at % 4}`,
        `${row + 1}-${(at * 7) % 5}`,
        1,
      ]),
    );
    const { ways, screens } = layOut({ ...flowOf([...random, ['a', '0-0', 1], ['a', '0-1', 1]]), start: 'a' });
    const labels = ways.map(({ label }) => ({ left: label.x, right: label.x + labelSize.width, y: label.y }));
    for (const { left, right, y } of labels) {
      for (const way of ways) {
        const lineX = way.label.x - labelGap;
        const isApart = Math.abs(way.label.y - y) >= labelSize.height || lineX <= left || lineX >= right;
        expect(isApart, `${way.from} ${way.to}`).toBe(true);
      }
      for (const screen of screens) {
        expect(Math.abs(screen.y - y)).toBeGreaterThan((screenSize.height + labelSize.height) / 2);
      }
    }
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

describe('figures', () => {
  it('are readable numbers with their nouns', () => {
    expect([450, 4210, 42_100, 130_000].map(formatTime)).toEqual(['450 ms', '4.2 s', '42 s', '2 min']);
    expect([0, 1, 2, 1200].map((count) => formatCount(count, 'visit'))).toEqual([
      '0 visits',
      '1 visit',
      '2 visits',
      '1,200 visits',
    ]);
    expect([0, 0.254, 1].map(formatShare)).toEqual(['0 %', '25 %', '100 %']);
  });
});
