import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A TCP port on 127.0.0.1 without a listener. Below the system's ephemeral range, so that no outgoing connection takes it while a
 * test has its server down.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = randomInt(20_000, 32_000);
    if (await canListen(port)) return port;
  }
  throw new Error('no free TCP port between 20000 and 31999 on 127.0.0.1');
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
