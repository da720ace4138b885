import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  endPrograms,
  type ListeningProgram,
  listensAtUrl,
  startBuilt,
  startNodeProgram,
  startProgram,
} from '@mlango/test-services/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EntryKind } from '../src/entries/entry-kind.js';
import { entryKinds } from '../src/entries/entry-kinds.js';
import { readFlow } from '../src/flows/read-flow.js';
import { readPrograms } from './support/follow-console.js';
import { FlowsCopy, readGuide } from './support/follow-guide.js';
import { noDatabase, postHop } from './support/service-process.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const main = join(root, 'services/ussd-gateway/dist/main.js');
const terminal = join(root, 'services/ussd-gateway/dist/cli/ussd.js');
const quick = { PORT: '0', DRAIN_DELAY_MS: '0' };
const facts = { appName: 'Mlango' };
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

describe('the guide "add a menu", executed literally', () => {
  let copy: FlowsCopy;
  let queryGateway: ListeningProgram;
  let base: string;
  let nodeAddress: string;

  const startQueryGateway = (port: string) =>
    startBuilt('services/proto-gateway/dist/main.js', { ...quick, PORT: port, GRPC_TARGETS: nodeAddress });

  beforeAll(async () => {
    copy = new FlowsCopy();
    for (const step of steps) if (!step.file.includes('transcripts/')) copy.follow(step);
    const node = await startNodeProgram();
    nodeAddress = node.address;
    queryGateway = await startQueryGateway('0');
    const env = {
      ...quick,
      ...noDatabase,
      PROTO_GATEWAY_URL: queryGateway.address,
      FLOWS_DIR: copy.folder,
    };
    base = (await startProgram([main], { env, listens: listensAtUrl })).address;
  }, 120_000);

  afterAll(async () => {
    await endPrograms();
    copy?.remove();
  });

  it('shows an entity of the chain, and records the dialogue of the guide', async () => {
    const args = [terminal, '--url', base, '--flows', copy.folder, '--record', 'Look up an entity'];
    const { code, output } = await run(args, ['1', '4', 'e0001', '0', '*'].join('\n'));
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('Type: oracle') });
    const recorded = join(copy.folder, 'default/transcripts/look-up-an-entity.txt');
    expect(existsSync(recorded)).toBe(true);
    expect(readFileSync(recorded, 'utf8')).toBe(stepOf('default/transcripts/look-up-an-entity.txt'));
  });

  it('distinguishes a mistyped id from a missing entity, in the language of the flow', async () => {
    const entry = 'Enter the ID of the entity, such as e0001:\n0. Back';
    const caller = { sessionId: 'unknown', phoneNumber: '+254711000001' };
    await postHop(base, '', caller);
    expect(await postHop(base, '1*4', caller)).toBe(`CON ${entry}`);
    expect(await postHop(base, '1*4*e 1', caller)).toBe(`CON An ID has letters and digits only.\n${entry}`);
    expect(await postHop(base, '1*4*e 1*nope', caller)).toBe(`CON There is no such entity.\n${entry}`);
    expect(await postHop(base, '1*4*e 1*nope*E0001', caller)).toMatch(/^CON Type: oracle\n/);
  });

  it('is unavailable without the query gateway, and continues on the same screen when it is back', async () => {
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

  it('plays the recorded dialogue as a test, without a gateway', async () => {
    const before = await run([terminal, 'test', copy.folder]);
    expect(before.output).toContain('look-up-an-entity.txt: Look up an entity (6 screens)\n');
    expect(before).toMatchObject({ code: 1, output: expect.stringContaining('2 of 4 transcripts pass') });
    const [command = ''] = /^sed .*$/m.exec(readFileSync(join(root, 'docs/guides/add-a-menu.md'), 'utf8')) ?? [];
    execFileSync('bash', ['-c', command.replaceAll('my-flows', copy.folder)]);
    const after = await run([terminal, 'test', copy.folder]);
    expect(after).toMatchObject({ code: 0, output: expect.stringContaining('4 of 4 transcripts pass') });
  });

  /** Mistakes in `flow.yaml`, by their name in the guide. */
  const mistakes: Record<string, (text: string) => string> = {
    'a text in one language': (text) => text.replace(' sw: Tafuta huluki,', ''),
    'the key of a text that does not exist': (text) => text.replace(/\{ en: Look up.*? \}/, 'lookUp'),
    'a screen': (text) => text.replace(/\n {2}entity:\n.*?back: knowMore\n/s, ''),
    'the operation': (text) => text.replace('  findEntity:\n', '  findIt:\n'),
    'the target of a result': (text) => text.replace(/ {8}unknown:\n.*\n/, ''),
    'the target of a refusal': (text) =>
      text.replace(/(code\n(?:.*\n){4}) {8}form:(?:\n {10}.*)*/, '$1        shape: wrongChoice'),
    'an operation that no screen uses': (text) => text.replace('do: findEntity', 'to: entity'),
    'a screen without a key that leads to it': (text) =>
      text.replace(/.*Look up an entity.*\n/, '').replace(/ {4}options:\n.*Another entity.*\n/, ''),
    'a fact without a source': (text) => text.replace("en: 'Since: {entitySince}'", "en: 'Since: {since}'"),
    'an extra brace': (text) => text.replace("en: 'Type: {entityType}'", "en: 'Type: {{entityType}}'"),
    'the name of a fact of the service': (text) => text.replaceAll('entityId', 'phoneNumber'),
    'a fact that one transition lacks': (text) =>
      text.replace('Chercher une entité }, to: entityEntry', 'Chercher une entité }, to: entity'),
    'a duplicate key': (text) => text.replace('{ key: 4, label: { en: Look', '{ key: 3, label: { en: Look'),
    'an account operation on an open screen': (text) => text.replace('do: logIn', 'do: changePin'),
    'a PIN operation without a typed PIN': (text) => text.replace('do: findEntity', 'do: findIds'),
    'a misspelt word': (text) => text.replace('e0001 :"\n    entry:', 'e0001 :"\n    entri:'),
    'an unknown kind': (text) => text.replace('kind: code', 'kind: reference'),
    'values with too many pages': (text) =>
      text
        .replace(/type, longest: 40/, 'type, longest: 400')
        .replace("en: 'Type: {entityType}'", `en: '${'{entityType} '.repeat(6)}'`),
  };
  const rows = [
    ...readFileSync(join(root, 'docs/guides/add-a-menu.md'), 'utf8').matchAll(/^\| ([^|]+) \| `([^|]+)` \|$/gm),
  ];

  it('starts the programs of this test, at the addresses that the gateway uses', () => {
    expect(readPrograms('add-a-menu.md').filter((program) => program.includes('main.js'))).toEqual([
      'node deploy/mock-node/dist/main.js',
      'node services/proto-gateway/dist/main.js',
    ]);
  });

  it('has every mistake of this test', () => {
    expect(rows.map(([, what]) => what)).toEqual(Object.keys(mistakes));
  });

  it('has a row for every kind of entry, with its refusals', () => {
    const guide = readFileSync(join(root, 'docs/guides/add-a-menu.md'), 'utf8');
    const [, table = ''] = /\| Kind \| Settings \| Refuses \|\n.*\n((?: *\|.*\n)+)/.exec(guide) ?? [];
    const named = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    const documented = table
      .trimEnd()
      .split('\n')
      .flatMap((row) => {
        const [, kind = '', settings = '', refusals = ''] = row.split('|');
        const isSecret = kind.includes('(secret)');
        // `country` is refused by the setting `countries`.
        const reasons = named(refusals).filter((name) => !named(settings).includes(name));
        return named(kind).map((name) => [name, { isSecret, refusals: reasons.toSorted() }] as const);
      });
    const kinds: Readonly<Record<string, Pick<EntryKind, 'secret' | 'refusals'>>> = entryKinds;
    const actual = Object.entries(kinds).map(([name, { secret = false, refusals }]) => [
      name,
      { isSecret: secret, refusals: [...refusals].toSorted() },
    ]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(actual));
    expect(documented).toHaveLength(actual.length);
  });

  it.each(rows.map(([, what = '', reason = '']) => ({ what, reason })))(
    'is refused with $what wrong, by file and line',
    ({ what, reason }) => {
      const wrong = new FlowsCopy();
      try {
        const file = join(copy.folder, 'default/flow.yaml');
        const [right, mistaken] = [
          readFileSync(file, 'utf8'),
          (mistakes[what] ?? ((same) => same))(readFileSync(file, 'utf8')),
        ];
        expect(mistaken).not.toBe(right);
        writeFileSync(join(wrong.folder, 'default/flow.yaml'), mistaken);
        const { problems = [] } = readFlow(join(wrong.folder, 'default'), facts);
        expect(problems).toContainEqual({
          file: expect.stringMatching(/^(flow|texts\/\w+)\.yaml$/),
          line: expect.any(Number),
          description: reason,
        });
        for (const { line } of problems) expect(line).toBeGreaterThan(1);
      } finally {
        wrong.remove();
      }
    },
  );

  it('does not start without a text, and names its place', async () => {
    const texts = join(copy.folder, 'default/texts/sw.yaml');
    writeFileSync(texts, readFileSync(texts, 'utf8').replace(/^pricing:.*\n/m, ''));
    const { code, output } = await run([main], '', { ...quick, ...noDatabase, FLOWS_DIR: copy.folder });
    expect(code).toBe(1);
    expect(output).toContain('default/texts/sw.yaml:2 texts.sw: \\"pricing\\" is missing');
  });
});
