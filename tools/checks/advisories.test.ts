import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { advisoriesOf, unanswered } from './advisories.mjs';

const GHSA = 'GHSA-2222-3333-4444';
const INTEGRITY = `sha512-${Buffer.alloc(64).toString('base64')}`;
const ADVISORY = {
  id: 7,
  url: `https://example.org/advisories/${GHSA}`,
  title: 'Reads what it should not',
  severity: 'high',
  vulnerable_versions: '<1.2.0',
  cwe: [],
  cvss: { score: 7.5, vectorString: null },
};

describe('the advisories of a registry', () => {
  const folder = mkdtempSync(join(tmpdir(), 'advisories-'));
  let server: Server;
  let answer: { status: number; body: unknown };
  let asked: unknown;

  beforeAll(async () => {
    server = createServer((request, response) => {
      void text(request).then((body) => {
        // What a newer release would be is asked for as well, and of no use here.
        const [status, answered] = request.method === 'POST' ? [answer.status, answer.body] : [404, {}];
        if (request.method === 'POST') asked = JSON.parse(body);
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answered));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
    write('package.json', JSON.stringify({ private: true, dependencies: { plain: '1.1.0' } }));
    write('pnpm-workspace.yaml', 'pmOnFail: ignore\nfetchRetries: 0\n');
    write('.npmrc', `registry=http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`);
    const importer = `importers:\n\n  .:\n    dependencies:\n      plain:\n        specifier: 1.1.0\n        version: 1.1.0`;
    const packages = `packages:\n\n  plain@1.1.0:\n    resolution: {integrity: ${INTEGRITY}}`;
    write(
      'pnpm-lock.yaml',
      `lockfileVersion: '9.0'\n\n${importer}\n\n${packages}\n\nsnapshots:\n\n  plain@1.1.0: {}\n`,
    );
  });
  beforeEach(() => {
    asked = undefined;
    answer = { status: 200, body: {} };
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });

  // What the pnpm of this machine is told by its user says nothing here.
  const ask = () =>
    advisoriesOf(folder, { PATH: process.env['PATH'], SystemRoot: process.env['SystemRoot'], HOME: folder });

  it('are asked for all that is locked, and none is none', async () => {
    expect(await ask()).toEqual([]);
    expect(asked).toEqual({ plain: ['1.1.0'] });
  });

  it('are found, and fail until somebody answers or waives them', async () => {
    answer.body = { plain: [ADVISORY] };
    const advisories = await ask();
    expect(unanswered(advisories, [], '2026-11-23')).toEqual([
      `plain 1.1.0: high: Reads what it should not (${GHSA}, ${ADVISORY.url})`,
    ]);
    const waiver = { advisory: GHSA, until: '2026-11-23', why: 'Nothing of ours calls it.' };
    expect(unanswered(advisories, [waiver], '2026-11-23')).toEqual([]);
  });

  it.each([404, 405])('are not offered by one that answers %d', async (status) => {
    answer = { status, body: {} };
    expect(await ask()).toBeUndefined();
  });

  it('are not taken for none when the registry fails', async () => {
    answer = { status: 500, body: {} };
    await expect(ask()).rejects.toThrow('500');
  });
});

describe('a waiver', () => {
  const waiver = { advisory: GHSA, until: '2026-12-01', why: 'Nothing of ours calls it.' };
  const judge = (change: Partial<typeof waiver>, today = '2026-11-23') =>
    unanswered(undefined, [{ ...waiver, ...change }], today);

  it('holds to its last day, also when nobody could be asked', () => {
    expect(judge({}, '2026-12-01')).toEqual([]);
    expect(judge({}, '2026-12-02')).toEqual([`${GHSA} was waived until 2026-12-01`]);
  });

  it.each([
    ['for longer than 90 days', { until: '2027-02-22' }],
    ['without a day', { until: 'later' }],
    ['without a reason', { why: ' ' }],
  ])('is none %s', (_name, change) => expect(judge(change)).toHaveLength(1));

  it('goes when its advisory has gone', () => {
    expect(unanswered([], [waiver], '2026-11-23')).toEqual([`${GHSA} is waived, and found no more`]);
  });
});
