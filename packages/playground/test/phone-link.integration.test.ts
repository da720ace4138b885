import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { definePlugin } from '@mlango/oracle-api/plugin';
import { createTestOracle } from '@mlango/oracle-api/testing';
import { findChromium } from '@mlango/test-services/find-chromium';
import { isSoundInEveryLook } from '@mlango/test-services/looks';
import { type ListeningProgram, startBuilt } from '@mlango/test-services/program';
import type { Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { press, write } from './support/keyboard.js';
import { pagesOn } from './support/pages.js';
import type { WatchedPage } from './support/real-browser.js';
import { startPlayground } from './support/running-doors.js';
import { talkOn } from './support/talk.js';

const executablePath = findChromium();
const flows = fileURLToPath(new URL('../../../examples/ask-by-phone/flows', import.meta.url));
const answer = `Panda mahindi mwezi wa tatu, mvua ikianza. ${'Palilia mapema na weka mbolea shambani. '.repeat(6)}Vuna ikikauka.`;

/** All prompts of the model. */
const prompts: string[] = [];
const farmer = definePlugin({
  name: 'farmer',
  version: '1.0.0',
  manifest: { title: 'Farmer', summary: 'Answers in Swahili.', whenToUse: 'in tests', visibility: 'always' },
  getMiddlewares: () => ({
    async *wrapModel(request) {
      prompts.push(JSON.stringify(request));
      const { content } = request.messages.at(-1) ?? { content: '' };
      yield { type: 'text' as const, delta: String(content).includes('Nipande') ? answer : `Umeuliza: ${content}` };
    },
  }),
});

describe.skipIf(executablePath === undefined)('a conversation of a phone', { timeout: 90_000 }, () => {
  let oracle: Awaited<ReturnType<typeof createTestOracle>>;
  let gateway: ListeningProgram;
  let watched: WatchedPage;
  let page: Page;
  let people = 0;

  afterAll(() => oracle?.close());
  const pages = pagesOn(async () => {
    oracle = await createTestOracle({ plugins: [farmer] });
    const url = await oracle.listen({ host: '127.0.0.1', port: 0 });
    gateway = await startBuilt('services/ussd-gateway/dist/main.js', {
      PORT: '0',
      DATA_DIR: mkdtempSync(join(tmpdir(), 'phone-link-')),
      RATE_LIMIT_MAX: '100000',
      LOG_LEVEL: 'trace',
      FLOWS_DIR: flows,
      ORACLE_URL: url,
      ORACLE_DID: oracle.oracle.did,
      HOP_DEADLINE_MS: '30000',
    });
    return startPlayground({ USSD_GATEWAY_URL: gateway.address, ORACLE_URL: url, ORACLE_DID: oracle.oracle.did });
  });
  beforeEach(async () => {
    people += 1;
    watched = await pages.blank();
    page = watched.page;
    await page.goto(`${pages.base()}/#/phone/link`);
  });

  /** Dials, and types the inputs one after the other. Returns the last screen. */
  async function call(...typed: string[]): Promise<string> {
    const sessionId = crypto.randomUUID();
    let screen = '';
    for (let count = 0; count <= typed.length; count += 1) {
      const hop = { sessionId, serviceCode: '*384#', phoneNumber: `+25471188800${people}` };
      const body = JSON.stringify({ ...hop, text: typed.slice(0, count).join('*') });
      const headers = { 'content-type': 'application/json' };
      screen = await (await fetch(`${gateway.address}/api/ussd`, { method: 'POST', headers, body })).text();
    }
    return screen;
  }
  const lastOf = (texts: string[]) => texts.at(-1) ?? '';
  const shownCode = async () => /[A-Z2-9]{5}-[A-Z2-9]{5}/.exec(await call('2', '1'))?.[0] ?? '';

  it('is started in Swahili by phone, continued in the page, and closed by the phone', async () => {
    await call('3', '2');
    const first = await call('1', 'Nipande lini?');
    expect(first).toMatch(/^CON Panda mahindi mwezi wa tatu/);
    expect(first).toContain('98. Zaidi');
    const second = await call('1', 'Nipande lini tena?', '98');
    expect(second).toContain('shambani');

    await write(page.getByLabel('Code from the phone'), 'AAAAA-AAAAA');
    await press(page.getByRole('button', { name: 'Link this browser' }));
    await page.getByRole('alert').getByText('This code is not valid').waitFor();
    await isSoundInEveryLook(watched, 'phone-link');
    await write(page.getByLabel('Code from the phone'), (await shownCode()).toLowerCase());
    await press(page.getByRole('button', { name: 'Link this browser' }));
    await page.getByTestId('human-text').getByText('Nipande lini?', { exact: true }).waitFor();
    await expect.poll(() => page.getByTestId('socket').innerText(), { timeout: 15_000 }).toBe('Connected');
    expect(lastOf(await page.getByTestId('ai-text').allInnerTexts())).toContain('Vuna ikikauka.');

    const talk = talkOn(page);
    await talk.say('Kwa nini mwezi wa tatu?');
    await talk.untilReady();
    expect(await talk.lastAnswer()).toBe('Umeuliza: Kwa nini mwezi wa tatu?');
    await isSoundInEveryLook(watched, 'phone-linked');

    // The phone continues there, and the page shows it live.
    expect(await call('1', 'Na sasa?')).toContain('Umeuliza: Na sasa?');
    expect(lastOf(prompts)).toContain('Kwa nini mwezi wa tatu?');
    await page.getByText('Umeuliza: Na sasa?', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('Umeuliza: Na sasa?', { exact: true }).waitFor();

    expect(await call('2', '3')).toContain('Hakuna anayesoma');
    await expect.poll(() => page.getByTestId('socket').innerText(), { timeout: 15_000 }).toBe('Not connected');
    await page.reload();
    await page.getByRole('alert').getByText('cannot be read').waitFor();
    expect(await page.getByTestId('ai-text').count()).toBe(0);
    await press(page.getByRole('button', { name: 'Unlink this browser' }));
    await page.getByLabel('Code from the phone').waitFor();
    // A wrong code and a link that has ended are refusals, which browsers log to the console.
    expect(watched.complaints.filter((one) => !/40[14]|WebSocket/.test(one))).toEqual([]);
  });

  it('is opened by a code from the page, typed on the phone', async () => {
    await call('1', 'Upo?');
    await press(page.getByRole('button', { name: 'Get a code' }));
    const code = await page.getByTestId('made-code').innerText();
    expect(await call('2', '2', code)).toContain('Go on at the web now');
    await press(page.getByRole('button', { name: 'I entered it' }));
    await page.getByText('Umeuliza: Upo?', { exact: true }).waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('writes the number to no prompt and no log', () => {
    expect(prompts.length).toBeGreaterThan(3);
    expect(prompts.join('\n')).not.toMatch(/2547118880/);
    expect(gateway.output()).not.toMatch(/2547118880\d/);
  });
});
