import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Room } from './hub.js';
import { frameOf, type Member } from './member.js';

const limits = { recoveryMs: 1_000, storedFrames: 5, storedChars: 1_000 };
const said = (text: string) => frameOf('x', text);

function member(id: string) {
  const got: { text: unknown; offset: string | undefined }[] = [];
  const it: Member = {
    id,
    did: 'did:key:a',
    sessionId: 's',
    address: 'a',
    credentials: [],
    right: { expiresAtMs: 0, path: [] },
    joinedAtMs: 0,
    send: (frame, offset) => got.push({ text: frame.data, offset }),
    close: () => undefined,
  };
  return { it, got };
}

const texts = (missed: { frame: { data: unknown } }[] | undefined) => missed?.map(({ frame }) => frame.data);

describe('a room', () => {
  it('sends a resumed member exactly its missed frames, wherever it was cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }), (before, after) => {
        const room = new Room('did:key:a', 'e1', limits);
        for (let count = 0; count < before; count += 1) room.deliver(said(`b${count}`), 0);
        const { offset } = room;
        const later = Array.from({ length: after }, (_, index) => `a${index}`);
        for (const text of later) room.deliver(said(text), 0);
        expect(texts(room.missed('m1', offset, 0))).toEqual(later);
      }),
    );
  });

  it('sends no frames if some have expired, or for an offset of another room', () => {
    const room = new Room('did:key:a', 'e1', limits);
    const start = room.offset;
    for (let count = 0; count < 5; count += 1) room.deliver(said('x'), 0);
    expect(room.missed('m1', start, 0)).toHaveLength(5);
    room.deliver(said('x'), 0);
    expect(room.missed('m1', start, 0)).toBeUndefined();
    const other = new Room('did:key:a', 'e2', limits);
    for (const offset of [other.offset, 'e1.', 'e1.99', 'e1.-1', 'e1.1e1', '', 'e1']) {
      expect(room.missed('m1', offset, 0), offset).toBeUndefined();
    }
  });

  it('stores a frame for a bounded time and size', () => {
    const room = new Room('did:key:a', 'e1', limits);
    const start = room.offset;
    room.deliver(said('x'), 0);
    expect(room.missed('m1', start, 999)).toHaveLength(1);
    expect(room.missed('m1', start, 1_000)).toBeUndefined();
    const before = room.offset;
    room.deliver(said('y'.repeat(600)), 2_000);
    room.deliver(said('z'.repeat(600)), 2_000);
    expect(room.missed('m1', before, 2_000)).toBeUndefined();
  });

  it('sends a frame for one member only to that member, also after it resumes', () => {
    const room = new Room('did:key:a', 'e1', limits);
    const [one, two] = [member('m1'), member('m2')];
    room.members.set('m1', one.it).set('m2', two.it);
    const start = room.offset;
    room.deliver(said('for m1'), 0, 'm1');
    room.deliver(said('for all'), 0);
    expect(one.got.map(({ text }) => text)).toEqual(['for m1', 'for all']);
    expect(two.got.map(({ text }) => text)).toEqual(['for all']);
    expect(two.got[0]?.offset).toBe(room.offset);
    expect(texts(room.missed('m1', start, 0))).toEqual(['for m1', 'for all']);
    expect(texts(room.missed('m2', start, 0))).toEqual(['for all']);
  });

  it('is closed when it has no members and none can resume', () => {
    const room = new Room('did:key:a', 'e1', limits);
    room.members.set('m1', member('m1').it);
    expect(room.isOver(0)).toBe(false);
    room.members.clear();
    expect(room.isOver(5_000)).toBe(false);
    expect(room.isOver(5_999)).toBe(false);
    expect(room.isOver(6_000)).toBe(true);
  });
});
