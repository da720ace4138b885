import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Placement, startAnnouncedChild } from '../child-process.js';
import type { HttpLine } from '../http-line.js';
import { type Load, loadLines, type Target } from '../load-lines.js';
import { startNode, startPreparedNode, startService } from './start-service.js';

/** Queries by the size of their answers, and how many a slice asks at least. */
export const queries = {
  params: { path: '/proto/token/params', amount: 1500 },
  entity: { path: '/proto/entity/did:ixo:entity:e0001', amount: 1000 },
  claims: { path: '/proto/claims/claims?pagination.limit=100', amount: 300 },
} as const;

/** Of one caller, or a slice would begin and end and nothing else. */
const fewestOfCaller = 4;

export type QueryName = keyof typeof queries;

/** The query gateway with a node behind it, and a bare route that answers the same bytes. */
export async function startQueryScene(placement: Placement) {
  const chain = await startNode();
  const node = await startPreparedNode(chain);
  const gateway = await startService('proto-gateway', { GRPC_TARGETS: new URL(node.url).host }, placement);
  const folder = mkdtempSync(join(tmpdir(), 'bench-replies-'));
  const replies: Record<string, string> = {};
  for (const [name, { path }] of Object.entries(queries)) {
    replies[name] = await (await fetch(`${gateway.url}${path}`)).text();
  }
  const file = join(folder, 'replies.json');
  writeFileSync(file, JSON.stringify(replies));
  const bare = await startAnnouncedChild(
    fileURLToPath(new URL('./bare-queries.js', import.meta.url)),
    { REPLIES_FILE: file },
    { core: placement.core },
  );
  let height = 0;
  return {
    gateway,
    /** Asks for another height each time, so that no two calls are one. */
    ask: (name: QueryName, callers: number): Promise<Load> => {
      const { path } = queries[name];
      const next = () => `${path}${path.includes('?') ? '&' : '?'}height=${++height}`;
      return loadPaths(gateway, { callers, amount: amountOf(name, callers), next });
    },
    askBare: (name: QueryName, callers: number): Promise<Load> =>
      loadPaths(bare, { callers, amount: amountOf(name, callers), next: () => `/${name}` }),
    stop: async () => {
      await Promise.all([gateway.stop(), bare.stop()]);
      await node.stop();
      await chain.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function amountOf(name: QueryName, callers: number): number {
  return Math.max(queries[name].amount, callers * fewestOfCaller);
}

function loadPaths(target: Target, how: { callers: number; amount: number; next: () => string }): Promise<Load> {
  let left = how.amount;
  function* paths(): Generator<string, undefined> {
    while (left-- > 0) yield how.next();
  }
  return loadLines(target, Array.from({ length: how.callers }, paths), askPath);
}

const overloaded = 503;
const askAgainMs = 200;

/** A gateway that waits for a processor longer than for its work takes itself for overloaded, and is asked again. */
async function askPath(line: HttpLine, path: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const { status, body } = await line.get(path);
    if (status === 200) return;
    if (status !== overloaded) throw new Error(`${path} was answered with ${status}: ${body.slice(0, 200)}`);
    await sleep(askAgainMs);
  }
  throw new Error('the gateway is overloaded');
}
