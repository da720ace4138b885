import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyringOf } from '@mlango/crypto/keyring';
import { afterAll, describe, expect, it } from 'vitest';
import { mapFlow } from '../src/analytics/map-flow.js';
import { type BuiltFlow, buildFlow } from '../src/flows/build-flow.js';
import { readFlow } from '../src/flows/read-flow.js';
import { decideReply, type HopRules } from '../src/sessions/decide-reply.js';
import { menuHopRules } from '../src/sessions/hop-rules.fixture.js';
import { sessionSecrets } from '../src/sessions/session-secrets.js';
import type { StoredSession } from '../src/sessions/session-store.js';
import { playTranscript } from '../src/transcripts/play-transcript.js';
import { FlowsCopy, readGuide } from './support/follow-guide.js';

const facts = { appName: 'Mlango' };
const guide = 'open-at-certain-hours.md';
const copy = new FlowsCopy();
for (const step of readGuide(guide)) copy.follow(step);
afterAll(() => copy.remove());
const folder = join(copy.folder, 'default');
const read = readFlow(folder, facts);
if (read.problems !== undefined) throw new Error(JSON.stringify(read.problems));
const { flow }: BuiltFlow = buildFlow(read.source);

const open = Date.parse('2026-01-05T12:00:00+03:00');
const closed = Date.parse('2026-01-05T21:00:00+03:00');

describe('the guide "open at certain hours"', () => {
  it('has a transcript with its written screens', () => {
    const text = readFileSync(join(folder, 'transcripts/delivery-is-closed.txt'), 'utf8');
    expect(playTranscript(text, flow, facts)).toEqual({ title: expect.any(String), screens: 5 });
  });

  it.each(
    [
      ...readFileSync(new URL(`../../../docs/guides/${guide}`, import.meta.url), 'utf8').matchAll(
        /^\| `([^|]+)` \| `([^|]+)` \|$/gm,
      ),
    ].map(([, wrong = '', message = '']) => ({ wrong, message })),
  )('names file and line of $wrong', ({ wrong, message }) => {
    const broken = new FlowsCopy();
    try {
      for (const step of readGuide(guide)) broken.follow({ ...step, text: step.text.replace(/hours: \{.*?\}/, wrong) });
      const { problems = [] } = readFlow(join(broken.folder, 'default'), facts);
      const lines = readFileSync(join(broken.folder, 'default/flow.yaml'), 'utf8').split('\n');
      const line = lines.findIndex((one) => one.includes(wrong)) + 1;
      expect(problems.map(({ file, line: at, description: problem }) => `${file}:${at} ${problem}`)).toEqual([
        expect.stringMatching(new RegExp(`^flow.yaml:${line} .*`)),
      ]);
      expect(problems[0]?.description).toContain(message);
    } finally {
      broken.remove();
    }
  });
});

describe('an option with opening hours', () => {
  const rules: HopRules = {
    ...menuHopRules({ secrets: sessionSecrets(keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 1) }])) }),
    flows: [flow],
  };
  const hop = (text: string, arrivedAtMs: number) => ({
    arrivedAtMs,
    aggregator: 'canonical',
    sessionId: 's',
    phoneNumber: '+260971230567',
    serviceCode: '*384#',
    text,
  });
  const typed = async (texts: readonly string[], arrivedAtMs: number) => {
    let stored: StoredSession | undefined;
    for (const text of texts) {
      const { record } = await decideReply(hop(text, arrivedAtMs), stored, rules);
      if (record !== undefined) stored = { phase: 'live', record };
    }
    return stored;
  };

  it('repeats the screen with the reason outside of them', async () => {
    const session = await typed(['', '1'], closed);
    const { reply, state } = await decideReply(hop('1*3', closed), session, rules);
    expect(state).toBe('knowMore');
    expect(reply).toContain('CON Closed now. Open 08:00 to 17:00.\n');
    expect(reply).toContain('3. Delivery');
  });

  it.each([
    ['open', open, closed],
    ['closed', closed, open],
  ])('answers a retried hop as before, if it was %s and the hour has passed', async (_, first, later) => {
    const session = await typed(['', '1', '1*3'], first);
    const retried = await decideReply(hop('1*3', later), session, rules);
    expect(retried).toMatchObject({ kind: 'repeat', reply: `CON ${session?.record.message}`, record: undefined });
  });

  it('has its hours on the map', () => {
    const { ways } = mapFlow(flow, [], facts);
    expect(ways.flatMap(({ by }) => by)).toContain('3 (08:00-17:00 Africa/Nairobi Mon Tue Wed Thu Fri)');
  });
});
