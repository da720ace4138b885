import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  endPrograms,
  type ListeningProgram,
  listensAtUrl,
  startBuilt,
  startProgram,
} from '@mlango/test-services/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryChainReader } from '../src/chain/memory-chain-reader.fixture.js';
import { checkFlow } from '../src/engine/check-flow.js';
import type { Flow, Screen } from '../src/engine/flow.js';
import { readGuide, ServiceCopy } from './support/follow-guide.js';
import { playTranscript } from './support/play-transcript.js';
import { noDatabase, postHop } from './support/service-process.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const quick = { PORT: '0', DRAIN_DELAY_MS: '0' };
const steps = readGuide('add-a-menu.md');
const stepOf = (file: string) => steps.find((step) => step.file === file)?.text ?? '';

/** Runs a program to its end, with a text as its input. */
function run(args: readonly string[], input = '', env: Readonly<Record<string, string>> = {}) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(process.execPath, args, { env: { PATH: process.env['PATH'], ...env } }, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, output: out + err }),
    );
    child.stdin?.end(input);
  });
}

describe('the guide "add a menu", followed to the letter', () => {
  let copy: ServiceCopy;
  let flow: Flow;
  let queryGateway: ListeningProgram;
  let base: string;
  let nodeAddress: string;

  const main = () => join(copy.folder, 'dist/main.js');
  const startQueryGateway = (port: string) =>
    startBuilt('services/proto-gateway/dist/main.js', { ...quick, PORT: port, GRPC_TARGETS: nodeAddress });

  beforeAll(async () => {
    copy = new ServiceCopy();
    for (const step of steps) if (!step.file.startsWith('transcripts/')) copy.follow(step);
    const built = await run([join(root, 'node_modules/typescript/bin/tsc'), '-p', copy.folder]);
    expect(built).toEqual({ code: 0, output: '' });
    ({ defaultFlow: flow } = await import(pathToFileURL(join(copy.folder, 'dist/flows/default/flow.js')).href));
    const node = await startBuilt('deploy/mock-node/dist/main.js', { MOCK_NODE_PORT: '0' }, /gRPC on (\S+)/);
    nodeAddress = node.address;
    queryGateway = await startQueryGateway('0');
    const env = {
      ...quick,
      ...noDatabase,
      PROTO_GATEWAY_URL: queryGateway.address,
      DATA_DIR: join(copy.folder, 'data'),
    };
    base = (await startProgram([main()], { env, listens: listensAtUrl })).address;
  }, 120_000);

  afterAll(async () => {
    await endPrograms();
    copy?.remove();
  });

  it('shows an entity of the chain, and records the dialogue that the guide shows', async () => {
    const terminal = join(copy.folder, 'dist/cli/ussd.js');
    const args = [terminal, '--url', base, '--record', 'Look up an entity'];
    const { code, output } = await run(args, ['1', '4', 'e0001', '0', '*'].join('\n'));
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('Type: oracle') });
    const recorded = join(copy.folder, 'src/flows/default/transcripts/look-up-an-entity.txt');
    expect(existsSync(recorded)).toBe(true);
    expect(readFileSync(recorded, 'utf8')).toBe(stepOf('transcripts/look-up-an-entity.txt'));
  });

  it('tells what was mistyped from what the chain has not, in the language of the flow', async () => {
    const entry = 'Enter the ID of the entity, such as e0001:\n0. Back';
    const caller = { sessionId: 'unknown', phoneNumber: '+254711000001' };
    await postHop(base, '', caller);
    expect(await postHop(base, '1*4', caller)).toBe(`CON ${entry}`);
    expect(await postHop(base, '1*4*e 1', caller)).toBe(`CON An ID has letters and digits only.\n${entry}`);
    expect(await postHop(base, '1*4*e 1*nope', caller)).toBe(`CON There is no such entity.\n${entry}`);
    expect(await postHop(base, '1*4*e 1*nope*E0001', caller)).toMatch(/^CON Type: oracle\n/);
  });

  it('is unavailable while the query gateway is away, and goes on from the same screen when it is back', async () => {
    const caller = { sessionId: 'away', phoneNumber: '+254711000002' };
    await postHop(base, '', caller);
    await postHop(base, '1*4', caller);
    await queryGateway.end('SIGTERM');
    expect(await postHop(base, '1*4*e0001', caller)).toBe(
      'END Service temporarily unavailable. Please try again later.',
    );
    queryGateway = await startQueryGateway(new URL(queryGateway.address).port);
    expect(await postHop(base, '1*4*e0001', caller)).toMatch(/^CON Type: oracle\n/);
  });

  it('plays the recorded dialogue as a test, on the chain that the guide writes down', async () => {
    const chain = new MemoryChainReader(JSON.parse(stepOf('transcripts/chain.json')));
    await playTranscript(stepOf('transcripts/look-up-an-entity.txt'), { flow, chain });
  });

  it('promises what the start says to who forgets something', () => {
    const said = (change: (flow: Flow) => Flow) => checkFlow(change(flow), { appName: 'Mlango' });
    const without = <Value>(record: Readonly<Record<string, Value>> = {}, ...names: string[]) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
    const query = flow.queries?.['findEntity'];
    const [entityEntry, entity] = [flow.screens['entityEntry'], flow.screens['entity']];
    if (query === undefined || entityEntry?.kind !== 'entry' || entity?.kind !== 'menu') throw new Error('no screens');
    const withScreens = (screens: Record<string, Screen>): Flow => ({
      ...flow,
      screens: { ...flow.screens, ...screens },
    });
    const withLongest = (longest: Record<string, string>): Flow => ({
      ...flow,
      queries: { findEntity: { ...query, longest } },
    });
    const { entry } = entityEntry;
    const next = { effect: 'findEntity', results: { found: { to: 'entity' } } };
    const { knowMore } = flow.screens;
    if (knowMore?.kind !== 'menu') throw new Error('no menu');
    const mistakes: Record<string, (flow: Flow) => Flow> = {
      'a text in one language': () => ({
        ...flow,
        texts: { ...flow.texts, sw: without(flow.texts['sw'], 'entityUnknown') },
      }),
      'a screen in `flow.ts`': () => ({ ...flow, screens: without(flow.screens, 'entity') }),
      'the query in `flow.ts`': () => ({ ...flow, queries: {} }),
      'where a result leads': () => withScreens({ entityEntry: { ...entityEntry, entry: { ...entry, next } } }),
      'the way to a screen': () =>
        withScreens({ knowMore: { ...knowMore, options: knowMore.options.filter(({ key }) => key !== '4') } }),
      '`keeps`': () => withScreens({ entity: { ...entity, keeps: [] } }),
      'the longest value of a fact': () => withLongest({ entityType: 'W' }),
      'values nobody would page through': () => withLongest({ ...query.longest, entityType: 'W'.repeat(2000) }),
    };
    const guide = readFileSync(join(root, 'docs/guides/add-a-menu.md'), 'utf8');
    const rows = [...guide.matchAll(/^\| ([^|]+) \| `([^|]+)` \|$/gm)].map(([, what = '', line = '']) => ({
      what,
      line,
    }));
    expect(rows.map(({ what }) => what)).toEqual(Object.keys(mistakes));
    for (const { what, line } of rows)
      expect({ what, said: said(mistakes[what] ?? ((same) => same)) }).toEqual({
        what,
        said: expect.arrayContaining([line]),
      });
  });

  it('does not start with a text forgotten', async () => {
    const texts = join(copy.folder, 'dist/flows/default/texts.sw.js');
    writeFileSync(texts, readFileSync(texts, 'utf8').replace(/^\s*entityUnknown:.*\n/m, ''));
    const { code, output } = await run([main()], '', { ...quick, ...noDatabase, DATA_DIR: join(copy.folder, 'data') });
    expect(code).toBe(1);
    expect(output).toContain('texts.sw: \\"entityUnknown\\" is missing');
  });
});
