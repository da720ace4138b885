import { createTestOracle } from '@mlango/oracle-api/testing';
import { findChromium } from '@mlango/test-services/find-chromium';
import { endPrograms } from '@mlango/test-services/program';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openPage } from './support/real-browser.js';
import { startQueryGateway, startUssdGateway } from './support/running-doors.js';

const executablePath = findChromium();

/** A description needs none, and the embedded one takes seconds to start. */
const noDatabase = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };

const services = [
  ['oracle-api', 0, '/messages/{sessionId}', undefined],
  ['proto-gateway', 1, '/proto/entity/{id}', 'ixo.entity.v1beta1.Query'],
  ['ussd-gateway', 2, '/api/ussd', undefined],
] as const;

describe.skipIf(executablePath === undefined)('Swagger UI', { timeout: 60_000 }, () => {
  let browser: Browser;
  let oracle: Awaited<ReturnType<typeof createTestOracle>>;
  let addresses: readonly string[];
  beforeAll(async () => {
    oracle = await createTestOracle();
    const oracleUrl = await oracle.listen({ host: '127.0.0.1', port: 0 });
    addresses = [oracleUrl, await startQueryGateway(), await startUssdGateway(noDatabase)];
    browser = await openBrowser(executablePath);
  });
  afterAll(async () => {
    await browser?.close();
    await endPrograms();
    await oracle?.close();
  });

  it.each(services)('of %s opens, lists its routes and explains them', async (name, index, path, group) => {
    const { page, complaints, picture } = await openPage(browser, { viewport: { width: 1200, height: 1600 } });
    await page.goto(`${addresses[index]}/docs`);
    if (group !== undefined) {
      await page.getByPlaceholder('Filter by tag').fill('entity');
      await expect.poll(() => page.locator('.opblock-tag').count()).toBe(1);
      await page.locator('.opblock-tag', { hasText: group }).getByRole('button').click();
    }
    const route = page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) }).first();
    await route.waitFor();
    await route.locator('.opblock-summary').click();
    await route.getByText('Responses', { exact: true }).waitFor();
    await picture(`swagger-${name}`);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
