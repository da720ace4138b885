import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Replaces a replica that reads whole requests and then dies of them, or never answers. */
export interface MortalUpstream {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** Every request that it took, as `METHOD /path`. */
  readonly took: readonly string[];
  close(): Promise<void>;
}

export async function startMortalUpstream(fate: 'dies' | 'hangs'): Promise<MortalUpstream> {
  const took: string[] = [];
  const server = createServer((request, response) => {
    if (fate === 'dies' && request.url === '/health/live') {
      response.end();
      return;
    }
    request.resume().on('end', () => {
      took.push(`${request.method} ${request.url?.split('?')[0]}`);
      if (fate === 'dies') request.socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    took,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
