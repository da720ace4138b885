import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endPrograms, type ListeningProgram, startBuilt } from '@mlango/test-services/program';
import { afterEach, beforeEach, expect } from 'vitest';
import { type Door, Recording } from './recording.fixture.js';
import { type Scene, walk } from './runbook-walk.fixture.js';

const wellLooks = 10;
const longestLooks = 22;

const cleanUps: (() => unknown)[] = [];
let dataDir: string;

/** Each rehearsal has processes and a folder of its own. */
export function rehearseInFolder(): void {
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'mlango-rehearsal-'));
  });
  afterEach(async () => {
    await endPrograms();
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
    rmSync(dataDir, { recursive: true, force: true });
  });
}

/** Done after the rehearsal, the last first. */
export function afterwards(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}

interface Rehearsal {
  /** The load at all times, and between any two scrapes. */
  readonly load: () => Promise<unknown>;
  readonly fault: () => Promise<unknown>;
  /** The number of scrapes during the fault, in minutes of the rules. */
  readonly faultLooks?: number;
  /** All alerts that fire. */
  readonly firing: readonly string[];
  /** The address of the store or the database that the fault is at. */
  readonly at?: { readonly redisUrl?: string; readonly databaseUrl?: string; readonly ask?: Scene['ask'] };
  /** Names in these sections of the runbook that belong to another fault of the same alert. */
  readonly elsewhere?: readonly string[];
}

/**
 * Scrapes ten times without the fault, and then with it; alerts fire at the end of the fault, and none before. Then runs the
 * commands that the runbook lists for each alert; each must show a result.
 */
export async function rehearse(
  door: RehearsedDoor,
  { load, fault, faultLooks = longestLooks, firing, at, elsewhere = [] }: Rehearsal,
): Promise<void> {
  const recording = new Recording();
  const looks = async (times: number) => {
    for (let look = 0; look < times; look += 1) {
      await load();
      await recording.look(door);
    }
  };
  await looks(wellLooks);
  await fault();
  await looks(faultLooks);
  const expected = [
    { afterLooks: wellLooks, firing: [] },
    { afterLooks: wellLooks + faultLooks, firing },
  ];
  expect(recording.judge(expected)).toBe('as expected');
  const nothing = await Promise.all(firing.map((alert) => walk(alert, { door, ...at })));
  expect(nothing.flat().toSorted()).toEqual(elsewhere.toSorted());
}

type RehearsedDoor = Door & Pick<ListeningProgram, 'child' | 'end' | 'output'>;

export async function startDoor(job: string, env: Readonly<Record<string, string>>): Promise<RehearsedDoor> {
  const settings = { PORT: '0', DATA_DIR: join(dataDir, job), DRAIN_DELAY_MS: '0', RATE_LIMIT_MAX: '1000000' };
  // A busy machine is no fault of the service.
  const patience = { HOP_DEADLINE_MS: '30000' };
  const program = await startBuilt(`services/${job}/dist/main.js`, { ...settings, ...patience, ...env });
  const { address, child, output } = program;
  return { job, address, child, output, end: () => program.end() };
}

export const json = { 'content-type': 'application/json' };

/** A few callers who dial and press a key. */
export async function hops({ address }: Door, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const calls = Array.from({ length: 2 }, async (_, caller) => {
    const who = { sessionId: randomUUID(), serviceCode: '*2233#', phoneNumber: `+25471000000${caller}` };
    for (const text of ['', '1']) {
      const body = JSON.stringify({ ...who, text });
      await (await fetch(`${address}/api/ussd`, { method: 'POST', headers: { ...json, ...headers }, body })).text();
    }
  });
  await Promise.all(calls);
}
