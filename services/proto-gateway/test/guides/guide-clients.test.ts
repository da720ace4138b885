import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BlockFeed } from '../../src/watch/block-feed.js';
import { gatewayOnNode } from '../support/gateway-on-node.js';
import { watchRules } from '../support/watched-gateway.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const programsOf = (guide: string) =>
  [
    ...readFileSync(join(root, `docs/guides/${guide}.md`), 'utf8').matchAll(
      /^## (.+)$(?:(?!^## )[\s\S])*?^```js\n([\s\S]*?)^```$/gm,
    ),
  ].map(([, title = '', code = '']): [string, string] => [title, code]);
const watching = programsOf('watch-queries');

const blocks = new BlockFeed();
blocks.report(blocks, { reachable: true, height: '10', blockSeconds: null });
const { app } = gatewayOnNode({ watch: { blocks, ...watchRules() } });
/** Inside the package, so that the programs find its clients. */
const folder = mkdtempSync(fileURLToPath(new URL('../../node_modules/.guide-', import.meta.url)));
let url: string;

beforeAll(async () => {
  url = await app().listen({ port: 0, host: '127.0.0.1' });
  const page = `import { EventSource, WebSocket } from 'undici';
    Object.assign(globalThis, { EventSource, WebSocket });`;
  writeFileSync(join(folder, 'page.mjs'), page);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the guide to watching', () => {
  it('have a program for each client', () => {
    expect(watching.map(([title]) => title)).toEqual(['A page', 'A socket']);
  });

  it.each(watching)('%s: its program works', async (_title, code) => {
    const written = /\/\/ (.+)\n$/.exec(code)?.[1];
    const program = join(folder, 'program.mjs');
    writeFileSync(
      program,
      code.replaceAll(/(http|ws):\/\/127\.0\.0\.1:3002/g, (_, scheme) => url.replace('http', scheme)),
    );
    const args = ['--import', pathToFileURL(join(folder, 'page.mjs')).href, program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 60_000 });
    expect(stdout.trim()).toBe(written);
  });
});
