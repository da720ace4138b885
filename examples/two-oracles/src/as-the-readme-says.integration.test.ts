import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBuilt } from '@mlango/test-services/program';
import { mintDelegation, mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, expect, it } from 'vitest';

const asha = signerFromSeed(Buffer.alloc(32, 'a'));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'two-oracles-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Command {
  readonly env: Record<string, string>;
  readonly program: string;
}

/** The commands that the README shows. */
async function shown(): Promise<[Command, Command]> {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, block = ''] = /```sh\n(.*?)```/s.exec(readme) ?? [];
  const [library, guide] = block
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => ({
      env: Object.fromEntries(
        [...line.matchAll(/(\w+)=(?:'([^']*)'|(\S+))/g)].map(([, name = '', quoted, bare]) => [
          name,
          quoted ?? bare ?? '',
        ]),
      ),
      program: /node (\S+)/.exec(line)?.[1] ?? '',
    }));
  if (library === undefined || guide === undefined) throw new Error('the README shows no two commands');
  return [library, guide];
}

it('two oracles started as in the README work together', { timeout: 240_000 }, async () => {
  const [library, guide] = await shown();
  // Other ports and folders than in the README, which may be in use.
  const start = ({ env, program }: Command, name: string) =>
    startBuilt(program, { ...env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(folder, name) });
  const lending = await start(library, 'library');
  const didOf = (text: string) => /"oracleDid":"([^"]+)"/.exec(text)?.[1] ?? '';
  const libraryDid = didOf(lending.output());
  const servers = guide.env['MCP_SERVERS']
    ?.replace(/http:[^"]+?(?=\/mcp)/, lending.address)
    .replace('did:key:…', libraryDid);
  const asking = await start({ ...guide, env: { ...guide.env, MCP_SERVERS: servers ?? '' } }, 'guide');
  const guideDid = didOf(asking.output());
  const post = async <Reply>(path: string, body: object): Promise<Reply> => {
    const token = await mintInvocation({ signer: asha, audience: guideDid });
    const headers = { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan', 'content-type': 'application/json' };
    const reply = await fetch(`${asking.address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return reply.json() as Promise<Reply>;
  };
  const capabilities = [{ can: 'oracle/converse', with: asha.did }] as const;
  const raw = await mintDelegation({ signer: asha, audience: guideDid, capabilities: [...capabilities] });
  await post('/delegation', { raw, issuer: asha.did, audience: guideDid, expiration: null });
  const { sessionId } = await post<{ sessionId: string }>('/sessions', {});
  const message = 'use the tool library__borrow with {"title":"Matigari"}';
  const answered = await post<{ message: { content: string } }>(`/messages/${sessionId}`, { message });
  expect(answered.message.content).toContain('borrowed');
  expect(await Promise.all([asking.end('SIGTERM'), lending.end('SIGTERM')])).toEqual([0, 0]);
});
