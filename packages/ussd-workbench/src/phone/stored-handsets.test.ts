import { describe, expect, it } from 'vitest';
import { type Handset, handsetAfter, newHandset, nextHop } from './handset.js';
import { storedHandsets, storeHandsets } from './stored-handsets.js';

const numbers = ['+254700000001', '+254700000002'] as const;
const code = '*384#';

function tab(text?: string) {
  const kept = new Map<string, string>();
  if (text !== undefined) kept.set('mlango handsets 2', text);
  const store = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
  return () => store;
}

function dialled(number: string): Handset {
  const handset = newHandset(number, code);
  const hop = nextHop(handset, () => 'id', 'canonical');
  return hop === undefined ? handset : handsetAfter(handset, { type: 'sent', hop });
}

describe('phones after a reload', () => {
  it('are restored with their sessions, including added ones, with the same phone selected', () => {
    const store = tab();
    const reply = { status: 200, body: 'CON Name?', freeflow: undefined, tookMs: 1, requestBytes: 1, replyBytes: 9 };
    const opened = handsetAfter(dialled('+33600000000'), { type: 'answered', id: 'id', reply });
    expect(opened.phase).toBe('open');
    storeHandsets({ all: [newHandset(numbers[0], code), opened], chosen: opened.number }, store);
    const { all, chosen } = storedHandsets(numbers, code, store);
    expect(all.map(({ number }) => number)).toEqual([numbers[0], '+33600000000', numbers[1]]);
    expect(chosen).toBe('+33600000000');
    expect(all[1]).toEqual(JSON.parse(JSON.stringify(opened)));
  });

  it('close a session whose response was pending', () => {
    const store = tab();
    storeHandsets({ all: [dialled(numbers[0])], chosen: numbers[0] }, store);
    expect(storedHandsets(numbers, code, store).all[0]).toMatchObject({
      phase: 'closed',
      typed: code,
      message: 'The page was reloaded before the answer came.',
    });
  });

  it.each(['nonsense', '{}', '{"all":[{"number":5}],"chosen":"x"}', 'null'])('are new if %s is stored', (text) => {
    const { all, chosen } = storedHandsets(numbers, code, tab(text));
    expect([all.map(({ number }) => number), chosen]).toEqual([[...numbers], numbers[0]]);
  });

  it('are new in a browser without storage', () => {
    const shut = () => {
      throw new Error('denied');
    };
    storeHandsets({ all: [], chosen: '' }, shut);
    expect(storedHandsets(numbers, code, shut).all).toHaveLength(2);
  });
});
