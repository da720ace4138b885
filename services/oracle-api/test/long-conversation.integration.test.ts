import { tmpdir } from 'node:os';
import { openDatabase } from '@mlango/service-kit/database';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { createLogger } from '@mlango/service-kit/logging';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-services';
import { signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelCatalog } from '../src/models/model-catalog.js';
import { scriptedModel } from '../src/models/scripted-model.fixture.js';
import { migrationsFolder } from '../src/store/database.js';
import * as schema from '../src/store/oracle-schema.js';
import { headersOf, newSession, testApp } from './app.fixture.js';
import { storesOn } from './stores.fixture.js';

const logger = createLogger({ service: 'test', level: 'silent' });

/** Summaries that contain the name of the dog. */
const { model: writer, requests: written } = scriptedModel(({ messages }) => [
  `dog: ${messages[0]?.content.match(/dog(?: is called|:) (\w+)/)?.[1] ?? 'unknown'}`,
]);
const { model: answerer, requests } = scriptedModel(['ok']);

describe.skipIf(postgresUrl === undefined)('a conversation of 450 messages', () => {
  let fresh: Awaited<ReturnType<typeof freshDatabase>>;
  const cleanUps: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    fresh = await freshDatabase();
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
    await fresh.drop();
  });

  const startReplica = async () => {
    const database = await openDatabase({ url: fresh.url, dataDir: tmpdir(), schema, migrationsFolder, logger });
    cleanUps.push(() => database.close());
    const stores = storesOn(database.db);
    const models = new ModelCatalog([{ ...answerer, contextTokens: 100_000 }], { ...writer, contextTokens: 100_000 });
    const { app } = await testApp({ stores, models });
    cleanUps.push(() => app.close());
    const { conversations, summaries } = stores;
    return { app, conversations, summaries };
  };

  it('gives the model its first fact on any replica, from the summary of the other', async () => {
    const [one, two] = [await startReplica(), await startReplica()];
    const headers = await headersOf('a');
    const ownerDid = signerFromSeed(Buffer.alloc(32, 'a')).did;
    const sessionId = await newSession(one.app, headers);
    for (let turn = 1; turn <= 225; turn++) {
      const content = turn === 1 ? 'My dog is called Simba.' : `message ${turn}`;
      for (const type of ['human', 'ai'] as const) {
        const message = { messageId: `${turn}-${type}`, turnId: `t-${turn}`, type, content, createdAt: new Date(turn) };
        await one.conversations.addMessage(ownerDid, sessionId, message);
      }
    }
    const send = async (app: HttpApp, message: string) => {
      const reply = await app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload: { message } });
      expect(reply.statusCode).toBe(200);
      const request = requests.at(-1);
      return { notes: request?.notes?.text ?? '', shown: request?.messages.map(({ content }) => content) ?? [] };
    };

    const first = await send(one.app, 'What is my dog called?');
    expect(first.notes).toContain('dog: Simba');
    expect(first.shown.at(-1)).toBe('What is my dog called?');
    const summariesWritten = written.length;
    const second = await send(two.app, 'And now?');
    expect(second.notes).toContain('dog: Simba');
    expect(second.shown).toEqual([...first.shown, 'ok', 'And now?']);
    expect(written).toHaveLength(summariesWritten);

    // Every message is in the request or was summarised.
    const seen = [...written.map(({ messages }) => messages[0]?.content ?? ''), ...second.shown].join('\n');
    for (let turn = 2; turn <= 225; turn++) expect(seen).toMatch(new RegExp(`message ${turn}\\b`));

    for (let turn = 0; turn < 50; turn++) await send(turn % 2 === 0 ? two.app : one.app, `more ${turn}`);
    const last = await send(one.app, 'And my dog?');
    expect(last.notes).toContain('dog: Simba');
    expect(written.length).toBeGreaterThan(summariesWritten);
    expect(written.at(-1)?.messages[0]?.content).toMatch(/^Notes so far:\n.*\noutside-.*\nfrom: "notes"\ndog: Simba\n/);
    expect(written.at(-1)?.messages[0]?.content).not.toContain('is called');

    expect(await two.summaries.find(ownerDid, sessionId)).toBeDefined();
    await two.app.inject({ method: 'DELETE', url: `/sessions/${sessionId}`, headers });
    expect(await one.summaries.find(ownerDid, sessionId)).toBeUndefined();
  });
});
