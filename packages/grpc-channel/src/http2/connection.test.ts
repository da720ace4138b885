import { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Connection } from './connection.js';
import { FLAG, FRAME, FrameReader, writeFrame } from './frames.js';

const never = (): never => {
  throw new Error('the connection ends');
};

it('reads no more than one chunk of many frames in a turn of the event loop', async () => {
  let answered = 0;
  const acknowledgements = new FrameReader((type, flags) => {
    if (type === FRAME.ping && flags === FLAG.ack) answered += 1;
  });
  const socket = new Duplex({
    read() {},
    write(bytes: Buffer, _, done) {
      // The preface is no frame.
      if (!bytes.includes('PRI *')) acknowledgements.read(bytes);
      done();
    },
  });
  new Connection(socket, {
    keepalive: () => ({ afterMs: 1e6, timeoutMs: 1e6 }),
    onReady() {},
    onRoom() {},
    onDraining: never,
    onClosed: never,
  });
  socket.push(writeFrame(FRAME.settings, 0, 0));
  await turn();
  const flood = Buffer.concat([
    ...Array<Buffer>(3000).fill(writeFrame(FRAME.priority, 0, 1, Buffer.alloc(5))),
    writeFrame(FRAME.ping, 0, 0, Buffer.alloc(8)),
  ]);
  for (let chunk = 0; chunk < 20; chunk += 1) socket.push(flood);
  await turn();
  const soon = answered;
  while (answered < 20) await turn();
  expect(soon).toBeLessThan(5);
});
