import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Connections } from './connections.js';

class Connection extends EventEmitter {
  destroyed = false;
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function openLines(limit = 10) {
  const time = { nowMs: 0 };
  return { time, lines: new Connections({ now: () => time.nowMs, limit }) };
}

describe('a connection group', () => {
  it('that is cut loses its open connections, and those of no other group', () => {
    const { lines } = openLines();
    const [mine, another] = [new Connection(), new Connection()];
    lines.take('mine', mine);
    lines.take('another', another);
    lines.cut('mine', 1_000);
    expect([mine.destroyed, another.destroyed]).toEqual([true, false]);
  });

  it('accepts no connection until its time is over', () => {
    const { lines, time } = openLines();
    lines.cut('mine', 1_000);
    const early = new Connection();
    expect(lines.take('mine', early)).toBe(false);
    expect(early.destroyed).toBe(true);
    time.nowMs = 1_001;
    expect(lines.take('mine', new Connection())).toBe(true);
  });

  it('forgets connections that have ended, and does not count one twice', () => {
    const { lines } = openLines();
    const connection = new Connection();
    lines.take('mine', connection);
    lines.take('mine', connection);
    expect(connection.listenerCount('close')).toBe(1);
    connection.destroy();
    connection.destroyed = false;
    lines.cut('mine', 1_000);
    expect(connection.destroyed).toBe(false);
  });

  it('is dropped, the least used first, if there are too many', () => {
    const { lines } = openLines(2);
    lines.cut('first', 1_000);
    lines.cut('second', 1_000);
    lines.take('first', new Connection());
    lines.cut('third', 1_000);
    expect(lines.take('second', new Connection())).toBe(true);
  });

  it('of requests without a cookie is never cut, except with all others', () => {
    const { lines } = openLines();
    const [nobodys, mine] = [new Connection(), new Connection()];
    lines.take(undefined, nobodys);
    lines.take('mine', mine);
    lines.cut('mine', 1_000);
    expect(nobodys.destroyed).toBe(false);
    lines.hangUpAll();
    expect(nobodys.destroyed).toBe(true);
  });
});
