import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js';
import { byteMethod } from '@mlango/test-services/byte-method';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '..');
const SERVING = Buffer.from([8, 1]);
const PATH = '/grpc.health.v1.Health';

/** A real server of grpc.health.v1. */
async function startHealth(): Promise<{ port: number; stop: () => void }> {
  const server = new Server();
  server.addService(
    { Check: byteMethod(`${PATH}/Check`), Watch: byteMethod(`${PATH}/Watch`, { responseStream: true }) },
    {
      Check: (_call: unknown, done: (error: null, reply: Buffer) => void) => done(null, SERVING),
      Watch: (call: ServerWritableStream<Buffer, Buffer>) => void call.write(SERVING),
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { port, stop: () => server.forceShutdown() };
}

it('runs as the README’s first example, against a real server', async () => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? [];
  const health = await startHealth();
  // Within the package, so that it is found by its name.
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const place = mkdtempSync(join(folder, 'dist', 'example-'));
  try {
    const file = join(place, 'example.ts');
    writeFileSync(file, example.replace("'127.0.0.1:9090', 'node.example:9090'", `'127.0.0.1:${health.port}'`));
    const flags = ['--conditions=@mlango/source', '--import', 'tsx'];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, file], {
      cwd: folder,
      timeout: 15_000,
    });
    expect(stderr).toBe('');
    expect(stdout.match(/Buffer\(2\)|<Buffer 08 01>/g)).toHaveLength(2);
    expect(stdout).toContain(`127.0.0.1:${health.port} live`);
  } finally {
    rmSync(place, { recursive: true });
    health.stop();
  }
});
