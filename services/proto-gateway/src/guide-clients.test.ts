import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayOnNode } from '../test/gateway-on-node.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const guide = readFileSync(join(root, 'docs/guides/connect-and-grpc-web.md'), 'utf8');
const programs = [...guide.matchAll(/^## (.+)$(?:(?!^## )[\s\S])*?^```js\n([\s\S]*?)^```$/gm)].map(
  ([, title = '', code = '']): [string, string] => [title, code],
);

const { app } = gatewayOnNode();
/** Inside the package, so that the programs find the clients it has. */
const folder = mkdtempSync(fileURLToPath(new URL('../node_modules/.guide-', import.meta.url)));
let url: string;

beforeAll(async () => {
  url = await app().listen({ port: 0, host: '127.0.0.1' });
  // `grpc-web` is made for pages.
  const page = `import { Window } from 'happy-dom';
    globalThis.XMLHttpRequest = new Window({ url: '${url}' }).XMLHttpRequest;`;
  writeFileSync(join(folder, 'page.mjs'), page);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the guide to Connect and gRPC-Web', () => {
  it('has a program for each client', () => {
    expect(programs.map(([title]) => title)).toEqual(['Connect, from Node.js', 'Connect, from a page', 'grpc-web']);
  });

  it.each(programs)('%s: its program does what it says', async (_title, code) => {
    const said = /\/\/ (.+)\n$/.exec(code)?.[1];
    const program = join(folder, 'program.mjs');
    writeFileSync(program, code.replaceAll('http://127.0.0.1:3002', url));
    const page = ['--import', pathToFileURL(join(folder, 'page.mjs')).href];
    const { stdout } = await promisify(execFile)(process.execPath, [...page, program], { cwd: root, timeout: 20_000 });
    expect(stdout.trim()).toBe(said);
  });
});
