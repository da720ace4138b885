import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceEnv } from '../bootstrap/services/run-services.mjs';
import { serviceTable } from '../bootstrap/services/table.mjs';
import { freePort } from '../test-services/src/free-port.js';
import { commandBlocks, isException, playedPages, SERVER, type Step } from './documented-commands.mjs';
import { startListening } from './listening-service.mjs';
import { repositoryRoot } from './project-files.mjs';
import { printedAsShown } from './readme-blocks.mjs';

const END = '\u001e';
const folder = mkdtempSync(join(tmpdir(), 'documented-commands-'));
const PATH = `${join(repositoryRoot, 'tools/pnpm/node_modules/.bin')}:${process.env['PATH']}`;
const stops: (() => Promise<unknown>)[] = [];
/** The free port in place of each port of the pages. */
const ports: Record<string, number> = {};
let world: NodeJS.ProcessEnv;

type Page = (typeof playedPages)[number];

/** The port of the program that a page starts. */
const servedAt: Partial<Record<Page, string>> = {
  'deploy/mock-node/README.md': '9090',
  'packages/ucan-auth/README.md': '3001',
  'services/oracle-api/README.md': '3001',
  'services/proto-gateway/README.md': '3002',
  'services/ussd-gateway/README.md': '3000',
};

/** What the reader has done before the commands of a page. */
const preparation: Partial<Record<Page, string>> = {
  'docs/guides/ucan-tokens.md': [
    'seed=$(npm run -s ucan -- key | sed \'s/.*"seed":"\\([^"]*\\)".*/\\1/\')',
    'token=$(npm run -s ucan -- invoke --audience did:ixo:entity:0f3c8b7e --seed "$seed")',
  ].join('\n'),
  'services/proto-gateway/README.md': [
    'field() { sed "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/"; }',
    'made=$(npm run -s ucan -- key); GATEWAY_SEED=$(echo "$made" | field seed); GATEWAY_DID=$(echo "$made" | field did)',
    'made=$(npm run -s ucan -- key); CLIENT_SEED=$(echo "$made" | field seed); CLIENT_DID=$(echo "$made" | field did)',
    'DELEGATION=$(npm run -s ucan -- delegate --seed "$GATEWAY_SEED" --audience "$CLIENT_DID" --capability "proto/query@$GATEWAY_DID")',
  ].join('\n'),
};

beforeAll(async () => {
  for (const port of ['3000', '3001', '3002', '3003', '3005', '3006', '9090']) ports[port] = await freePort();
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\n');
  world = {
    PATH,
    HOME: folder,
    DATA_DIR: join(folder, 'world'),
    DRAIN_DELAY_MS: '0',
    LOCAL_MODEL_PACE_MS: '0',
    USSD_PORT: String(await freePort()),
    ORACLE_PORT: String(await freePort()),
    PROTO_PORT: String(await freePort()),
    MOCK_NODE_PORT: String(await freePort()),
    PLAYGROUND_PORT: String(await freePort()),
  };
  const services = serviceTable(repositoryRoot);
  const start = async (name: string, listens?: RegExp) => {
    const script = services.find((service) => service.name === name)?.script.slice(repositoryRoot.length + 1) ?? '';
    const env = serviceEnv(name, { services, env: world, root: repositoryRoot });
    const { stop } = await startListening(script, env, listens === undefined ? {} : { listens });
    stops.push(stop);
  };
  await start('mock-node', /gRPC on (\S+)/);
  await Promise.all(['proto-gateway', 'oracle-api', 'ussd-gateway'].map((name) => start(name)));
}, 240_000);
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** The commands of a page at free ports, with a folder of their own, and with servers in the background. */
function adapted(command: string, page: Page, log: string): string {
  const isOfWorld = servedAt[page] === undefined;
  const portOf: Record<string, string | undefined> = isOfWorld
    ? { 3000: world['USSD_PORT'], 3001: world['ORACLE_PORT'], 3002: world['PROTO_PORT'] }
    : {};
  return command
    .replace(/^npm run setup.*$/m, '')
    .replace(/^npm run -s ussd$/, "printf '1\\n' | npm run -s ussd -- --url http://127.0.0.1:3000")
    .replaceAll(
      /(localhost:|127\.0\.0\.1:|^PORT=)(\d{4})\b/gm,
      (_, host, port) => `${host}${portOf[port] ?? ports[port] ?? port}`,
    )
    .replaceAll('=.data/', `=${folder}/`)
    .replaceAll('did:key:…', 'did:key:z6Mks931aemXLmTDGrasbApX8araucPWxRhzP8iqL7XHhXeC')
    .replaceAll('=…', '=example')
    .replaceAll(/curl (?=\S* ?'[^']*watch=1)/g, 'curl --max-time 8 ')
    .replaceAll(new RegExp(`(${SERVER.source})(?: &)?`, 'g'), `$1 >> ${log} 2>&1 &`);
}

/** Ends the programs of earlier steps with their children. With `set -m` each has a process group. */
const END_SERVERS = 'for job in $(jobs -p); do kill -- -$job; done; wait';

/** Waits until the programs of a step listen, by their own logs, and the service among them is ready. */
function untilListening({ command }: Step, log: string): string {
  const count = command.match(new RegExp(SERVER.source, 'g'))?.length ?? 0;
  const listens = `[ "$(grep -cE 'Server listening at|gRPC on|localhost:[0-9]' ${log})" -ge ${count} ]`;
  const isReady = command.includes('node services/') ? 'curl -sfo /dev/null 127.0.0.1:$PORT/health/ready' : 'true';
  return `for i in {1..600}; do ${listens} && ${isReady} && break; sleep 0.1; done; [ $i -lt 600 ]`;
}

async function play(page: Page, steps: readonly Step[]) {
  const log = join(mkdtempSync(join(folder, 'page-')), 'log');
  const isServer = ({ command }: Step) => SERVER.test(command);
  const script = steps.map((step) => {
    const commands = adapted(step.command, page, log);
    const whole = isServer(step) ? `${END_SERVERS}\n: > ${log}\n${commands}\n${untilListening(step, log)}` : commands;
    return `${whole}\nprintf '${END}%s${END}' $?`;
  });
  const { PLAYGROUND_PORT: _, ...shared } = world;
  const served = ports[servedAt[page] ?? ''];
  const env = {
    ...shared,
    ...(served === undefined
      ? {}
      : { PORT: String(served), DATA_DIR: join(folder, page), MOCK_NODE_PORT: String(ports['9090']) }),
    GRPC_TARGETS: `127.0.0.1:${ports['9090']}`,
  };
  const text = ['set -m', preparation[page] ?? '', ...script, END_SERVERS].join('\n');
  return new Promise<{ output: string[]; errors: string }>((resolve) => {
    execFile('bash', ['-c', text], { cwd: repositoryRoot, env, timeout: 240_000 }, (_error, stdout, errors) =>
      resolve({ output: stdout.split(END), errors: errors.slice(0, 4_000) }),
    );
  });
}

/** Heights and times differ each time. */
const general = (text: string) =>
  text
    .replaceAll(/\d{8,}/g, 'N')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')
    .replaceAll(/\s/g, '');

function isShown({ command, printed = '…' }: Step, output: string): boolean {
  // Events of the state may come first.
  const before = command.includes('watch=1') ? '…' : '';
  const after = /watch=1|^npm run -s ussd$/.test(command) ? '…' : '';
  const shown = `${before}${printed}${after}`;
  return printedAsShown(general(shown), general(output));
}

describe.each(playedPages)('%s', (page) => {
  it('has commands that succeed, and print what the page shows', { timeout: 300_000 }, async () => {
    const markdown = readFileSync(join(repositoryRoot, page), 'utf8');
    const steps = commandBlocks(markdown).flatMap((block) => (isException(page, block) ? [] : block.steps));
    expect(steps.length).toBeGreaterThan(0);
    const stopApp = page === 'packages/ucan-auth/README.md' ? await startShownApp(markdown) : undefined;
    const { output, errors } = await play(page, steps);
    await stopApp?.();
    for (const [index, step] of steps.entries()) {
      const got = output[2 * index] ?? '';
      const exit = output[2 * index + 1];
      const isExpectedExit = exit === '0' || (exit === '28' && step.command.includes('watch=1'));
      const isRight = isExpectedExit && isShown(step, got);
      expect(isRight ? step : { ...step, got, exit, errors }).toEqual(step);
    }
  });
});

/** The app of the README of ucan-auth, as a program inside of the package. */
async function startShownApp(markdown: string) {
  const [, code = ''] = /^## A protected route\n\n```ts\n([\s\S]*?)```/m.exec(markdown) ?? [];
  const inside = mkdtempSync(join(repositoryRoot, 'packages/ucan-auth/dist/.readme-'));
  const file = join(inside, 'app.mjs');
  writeFileSync(file, `${code.replace('port: 3001', `port: ${ports['3001']}`)}console.log('app listens');\n`);
  const { stop } = await startListening(file.slice(repositoryRoot.length + 1), {}, { listens: /(app listens)/ });
  return async () => {
    await stop();
    rmSync(inside, { recursive: true });
  };
}
