import { randomUUID } from 'node:crypto';
import { Readiness } from '@mlango/service-kit/health';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { createLogger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { buildApp } from './app.js';
import { Turns } from './chat/turns.js';
import type { Deps } from './deps.js';
import type { LanguageModel } from './models/language-model.js';
import { localModel } from './models/local/local-model.js';
import { ModelCatalog } from './models/model-catalog.js';
import { MemoryRunStore } from './runs/memory-run-store.js';
import { OpenStreams } from './runs/open-streams.js';
import { MemoryConversationStore } from './store/memory-conversation-store.js';

export const oracle = { name: 'Jua', did: signerFromSeed(Buffer.alloc(32, 'o')).did, entityDid: 'did:ixo:entity:jua' };

export interface TestOptions {
  readonly model?: LanguageModel;
  readonly rateLimitMax?: number;
  readonly corsOrigins?: readonly string[];
  readonly drain?: Deps['drain'];
  readonly activeTurns?: number;
  readonly streaming?: Deps['streaming'];
}

/** The real app on parts in memory, with a real token check. */
export async function testApp(options: TestOptions = {}): Promise<{ app: HttpApp; deps: Deps }> {
  const conversations = new MemoryConversationStore();
  const runs = new MemoryRunStore({ retentionMs: 60_000, limitChars: 10_000_000 }, Date.now);
  const logger = createLogger({ service: 'test', level: 'silent' });
  const now = () => new Date();
  const deps: Deps = {
    logger,
    readiness: new Readiness({}),
    metrics: createMetrics({ service: 'test', version: '0' }),
    metricsAccess: { open: true },
    trustProxy: false,
    tracing: undefined,
    rateLimit: { max: options.rateLimitMax ?? 10_000, windowMs: 60_000, store: countingStore() },
    corsOrigins: options.corsOrigins ?? ['*'],
    auth: createUcanAuth({ audiences: [oracle.did, oracle.entityDid] }),
    oracle,
    conversations,
    runs,
    turns: new Turns({
      conversations,
      runs,
      listeners: [],
      oracleName: oracle.name,
      now,
      newId: randomUUID,
      log: logger,
      onTurnEnd: () => undefined,
      limits: { activeTurns: options.activeTurns ?? 100, turnTimeoutMs: 60_000 },
    }),
    streams: new OpenStreams(),
    streaming: options.streaming ?? { heartbeatMs: 15_000, stalledAfterMs: 60_000 },
    models: new ModelCatalog([options.model ?? localModel({ paceMs: 0 })]),
    now,
    newId: randomUUID,
    drain: options.drain ?? { turnsMs: 0, streamsMs: 1_000 },
  };
  return { app: await buildApp(deps), deps };
}

/** Headers of a user, who is a different one for each letter. */
export async function headersOf(letter: string, audience = oracle.did): Promise<Record<string, string>> {
  const signer = signerFromSeed(Buffer.alloc(32, letter));
  const token = await mintInvocation({ signer, audience });
  return { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' };
}

export async function newSession(app: HttpApp, headers: Record<string, string>): Promise<string> {
  const reply = await app.inject({ method: 'POST', url: '/sessions', headers });
  const { sessionId } = reply.json<{ sessionId: string }>();
  return sessionId;
}

function countingStore(): Deps['rateLimit']['store'] {
  const counts = new Map<string, number>();
  return {
    hit: async (key, windowMs) => {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { count, resetMs: windowMs };
    },
  };
}
