import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataUrl, png } from '../../src/files/files-oracle.fixture.js';
import { gate } from '../../src/models/scripted-model.fixture.js';
import { ClientProcess, clientsInstalled } from './client-process.fixture.js';
import { type Feature, type PublishedClient, publishedClients } from './clients.js';
import { type OracleForClients, oracleForClients } from './oracle-for-clients.fixture.js';

const home = mkdtempSync(join(tmpdir(), 'published-clients-'));
let oracle: OracleForClients;
/** Accepts one message a day from each user. */
let limited: OracleForClients;

beforeAll(async () => {
  oracle = await oracleForClients();
  limited = await oracleForClients({ MESSAGES_PER_USER_PER_DAY: '1' });
});
afterAll(async () => {
  await Promise.all([oracle.close(), limited.close()]);
  rmSync(home, { recursive: true, force: true });
});

/** Runs a feature as a new user. At the checkpoint the model continues. */
async function run(client: ClientProcess, feature: Feature) {
  const at = feature === 'limit' ? limited : oracle;
  Object.assign(at.state, { hold: gate(), stopped: 0, requests: [] });
  at.paid.length = 0;
  const { headers } = await at.newUser();
  const token = headers['authorization']?.replace('Bearer ', '') ?? '';
  const checkpoints: string[] = [];
  const place = { url: at.url, token, session: crypto.randomUUID(), picture: dataUrl(png, 'image/png'), folder: home };
  const result = await client.run(feature, place, async (name) => {
    checkpoints.push(name);
    if (feature === 'stop') await isStopped(at.state);
    else at.state.hold.open();
  });
  return { result, checkpoints, state: at.state, paid: at.paid };
}

async function isStopped(state: OracleForClients['state']): Promise<void> {
  await expect.poll(() => state.stopped, { message: 'the model is stopped' }).toBe(1);
}

type Outcome = Awaited<ReturnType<typeof run>>;

const guarantees: Readonly<Record<Feature, (outcome: Outcome, client: PublishedClient) => unknown>> = {
  stream: ({ result, checkpoints }) => {
    expect(checkpoints, 'the first text arrives before the model has ended').toEqual(['Well, ']);
    expect(result).toEqual({ text: 'Well, here it is.' });
  },
  tools: ({ result }) => {
    expect(result['text']).toMatch(/tea/);
    if ('called' in result) expect(result['called']).toEqual(['remember']);
  },
  pageTools: ({ result }) => {
    expect(result['text']).toContain('zoomed 2 times');
    // CopilotKit: a tool without a follow-up. Its result comes with the next message.
    if ('next' in result) expect(result['next']).toBe('next');
  },
  files: ({ state }) => {
    const files = state.requests.flatMap(({ messages }) => messages.flatMap((one) => one.files ?? []));
    expect(files).toMatchObject([{ kind: 'image', mediaType: 'image/png' }]);
  },
  structured: ({ result }, { protocol }) => {
    const object = protocol === 'MCP' ? { answer: 'hello', status: 'finished' } : { city: 'Nairobi', rain: true };
    expect(result['object']).toMatchObject(object);
  },
  stop: async ({ result, state }, { ended }) => {
    expect(result['ended']).toBe(ended);
    await isStopped(state);
    if ('next' in result) expect(result['next']).toBe('next');
  },
  resume: ({ result, checkpoints }) => {
    expect(checkpoints).toEqual(['broken']);
    expect(result).toEqual({ text: 'Well, here it is.' });
  },
  approval: async ({ result, paid }) => {
    expect(result['text']).toMatch(/paid|\/runs\/.+\/approvals\//);
    await expect.poll(() => paid).toMatchObject([{ amount: 5 }]);
  },
  limit: ({ result }) => {
    expect(result['message']).toMatch(/today|a day/);
    if (result['status'] !== undefined) expect(result['status']).toBe(429);
    if (result['retryAfter'] !== undefined) expect(Number(result['retryAfter'])).toBeGreaterThan(0);
  },
};

const titled = publishedClients.map((client) => [`${client.name} by ${client.protocol}`, client] as const);

describe.skipIf(!clientsInstalled()).each(titled)('%s', (_title, client) => {
  let started: ClientProcess;
  beforeAll(() => {
    started = new ClientProcess(client, home);
  });
  afterAll(() => started.end());

  it('has a script with the features of its row', async () => {
    expect((await started.ready).toSorted()).toEqual(client.features.toSorted());
  });

  it.each(client.features)('%s', async (feature) => {
    await started.ready;
    await guarantees[feature](await run(started, feature), client);
  });
});
