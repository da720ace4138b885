/**
 * When the views of the playground are there for somebody on a slow phone: slow 3G as browsers' tools have it (400 ms to an answer, 400 kbit/s)
 * and a processor at a quarter of this machine's speed, with nothing kept from an earlier visit. Needs a Chromium.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { type Child, startChild } from './child-process.js';
import { printTable } from './print-table.js';
import { beginVisit, type Moment, type SlowVisit } from './slow-visit.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);

const root = process.env['BENCH_TREE'] ?? fileURLToPath(new URL('../..', import.meta.url));

/** What is waited for in one visit, one after the other. */
interface Stage {
  readonly name: string;
  readonly until: (visit: SlowVisit) => Promise<Moment>;
}

interface View {
  readonly route: string;
  readonly watched: readonly string[];
  readonly stages: readonly Stage[];
}

const shown = (route: string, name: string, selector: string): View => ({
  route,
  watched: [selector],
  stages: [{ name, until: (visit) => visit.untilThere(selector) }],
});

const field = '.mlango-composer textarea:not([disabled])';
const answer = '[data-testid="ai-text"] p';
const views: readonly View[] = [
  shown('', 'home: its heading', 'main h1'),
  shown('#/chain', 'chain: the first list, with a link in a row', '#main tbody tr a'),
  shown('#/phone', 'phone: a key of the handset that can be pressed', 'main button:not([disabled])'),
  {
    route: '#/chat',
    watched: [field, answer],
    stages: [
      { name: 'chat: its field takes what is typed', until: (visit) => visit.untilThere(field) },
      {
        name: 'chat: what was typed and sent there at once is posted to the oracle',
        until: async (visit) => {
          await visit.page.locator(field).focus();
          await visit.page.keyboard.type('Hello');
          await visit.page.keyboard.press('Enter');
          return visit.untilSent(({ method, path }) => method === 'POST' && path.startsWith('/oracle/messages'));
        },
      },
      { name: 'chat: its answer begins', until: (visit) => visit.untilThere(answer) },
    ],
  },
];

const children: Child[] = [];
const service = async (path: string, port: number, env: Record<string, string> = {}): Promise<void> => {
  const common = { PORT: String(port), RATE_LIMIT_MAX: '1000000', DATA_DIR: mkdtempSync(join(tmpdir(), 'slow-page-')) };
  const healthPath = path.includes('mock-node') ? {} : { healthPath: '/health' };
  children.push(
    await startChild(join(root, path, 'dist/main.js'), { port, ...healthPath, env: { ...common, ...env } }),
  );
};

/** The playground, in front of the real services. */
async function startAll(): Promise<void> {
  await service('deploy/mock-node', 13_120, { MOCK_NODE_PORT: '13120' });
  await service('services/proto-gateway', 13_121, { GRPC_TARGETS: '127.0.0.1:13120' });
  await service('services/oracle-api', 13_122, {
    PROTO_GATEWAY_URL: 'http://127.0.0.1:13121',
    // Whom the page addresses its tokens to.
    ORACLE_ENTITY_DID: 'did:ixo:entity:e0001',
  });
  await service('services/ussd-gateway', 13_123);
  await service('packages/playground', 13_124, {
    PROTO_GATEWAY_URL: 'http://127.0.0.1:13121',
    ORACLE_URL: 'http://127.0.0.1:13122',
    USSD_GATEWAY_URL: 'http://127.0.0.1:13123',
  });
}

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
});

type Row = Moment & { readonly scriptMs: number };

/** What each stage of a view came to in one visit. */
async function visitOf({ route, watched, stages }: View): Promise<Row[]> {
  const visit = await beginVisit(browser, `http://127.0.0.1:13124/${route}`, watched);
  const rows: Row[] = [];
  for (const { until } of stages) {
    const moment = await until(visit);
    rows.push({ ...moment, scriptMs: await visit.scriptMs() });
  }
  await visit.end();
  return rows;
}

/** The best and the middle of what was counted. */
const bestOf = (values: readonly number[]): readonly [number, number] => {
  const sorted = values.toSorted((one, other) => one - other);
  return [sorted[0] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0];
};

const table: string[][] = [];
try {
  await startAll();
  for (const view of views) {
    const visits: Row[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) visits.push(await visitOf(view));
    for (const [at, { name }] of view.stages.entries()) {
      const rows = visits.flatMap((visit) => visit[at] ?? []);
      const [best, middle] = bestOf(rows.map(({ ms }) => ms / 1000));
      const [script] = bestOf(rows.map(({ scriptMs }) => scriptMs));
      const most = (of: (row: Row) => number): number => Math.max(...rows.map(of));
      const counted = [most((row) => row.requests), most((row) => row.longestChain)].map(String);
      const kilobytes = (most(({ bytes }) => bytes) / 1000).toFixed(0);
      table.push([name, best.toFixed(2), middle.toFixed(2), ...counted, kilobytes, script.toFixed(0)]);
    }
  }
  printTable(['there is', 's, best', 's, middle', 'answers', 'one after the other', 'kB', 'script ms'], table);
} finally {
  await browser.close();
  for (const child of children.toReversed()) await child.stop();
}
