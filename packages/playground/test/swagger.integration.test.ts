import { createTestOracle } from '@mlango/oracle-api/testing';
import { findChromium } from '@mlango/test-services/find-chromium';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { pagesOn } from './support/pages.js';
import { startQueryGateway, startUssdGateway } from './support/running-doors.js';

const executablePath = findChromium();

/** A description needs no database, and the embedded one takes seconds to start. */
const noDatabase = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };

async function openGroup(page: Page, group: string): Promise<void> {
  await page.getByPlaceholder('Filter by tag').fill(group);
  await expect.poll(() => page.locator('.opblock-tag').count(), { timeout: 10_000 }).toBe(1);
  await page.locator('.opblock-tag').getByRole('button').click();
}

describe.skipIf(executablePath === undefined)('Swagger UI', { timeout: 60_000 }, () => {
  let oracle: Awaited<ReturnType<typeof createTestOracle>>;
  let queryGateway: string;
  let ussdGateway: string;
  afterAll(() => oracle?.close());
  const { base: oracleUrl, blank } = pagesOn(async () => {
    oracle = await createTestOracle();
    queryGateway = await startQueryGateway();
    ussdGateway = await startUssdGateway({ ...noDatabase, OPERATOR_TOKEN: 'operator-0123456789' });
    return oracle.listen({ host: '127.0.0.1', port: 0 });
  });

  it.each([
    ['oracle-api', oracleUrl, '/messages/{sessionId}', undefined],
    ['proto-gateway', () => queryGateway, '/proto/entity/{id}', 'ixo.entity.v1beta1.Query'],
    ['ussd-gateway', () => ussdGateway, '/api/ussd', undefined],
  ] as const)('of %s opens, lists its routes and explains them', async (name, address, path, group) => {
    const { page, complaints, picture } = await blank({ viewport: { width: 1200, height: 1600 } });
    await page.goto(`${address()}/docs`);
    await page.locator('.topbar img[src^="data:image/svg+xml"]').waitFor();
    expect(await page.title()).not.toBe('Swagger UI');
    if (group !== undefined) await openGroup(page, group);
    const route = page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) }).first();
    await route.waitFor();
    await route.locator('.opblock-summary').click();
    await route.getByText('Responses', { exact: true }).waitFor();
    await picture(`swagger-${name}`);
    expect(complaints).toEqual([]);
  });

  it('of the oracle creates a new user by one click', async () => {
    const { page, complaints } = await blank();
    await page.goto(`${oracleUrl()}/docs`);
    await page.getByRole('button', { name: 'Try as a new user' }).click();
    await page.getByRole('button', { name: 'You are a new user now' }).waitFor();
    const route = page.locator('.opblock-get', { has: page.locator('[data-path="/sessions"]') });
    await route.locator('.opblock-summary').click();
    await route.getByRole('button', { name: 'Try it out' }).click();
    await route.getByRole('button', { name: 'Execute' }).click();
    await expect.poll(() => route.locator('.live-responses-table .response-col_status').last().innerText()).toBe('200');
    expect(complaints).toEqual([]);
  });

  it('of the USSD gateway authorises operators by one click, and fills in the session', async () => {
    const { page, complaints } = await blank();
    await page.goto(`${ussdGateway}/docs`);
    await page.getByRole('button', { name: 'Try as a new user' }).click();
    await page.getByRole('button', { name: 'You are a new user now' }).waitFor();
    const route = page.locator('.opblock-get', { has: page.locator('[data-path="/api/ussd/debug/{sessionId}"]') });
    await route.locator('.opblock-summary').click();
    await route.getByRole('button', { name: 'Try it out' }).click();
    await route.getByRole('button', { name: 'Execute' }).click();
    await route.locator('.live-responses-table .response-col_status', { hasText: '200' }).last().waitFor();
    expect(complaints).toEqual([]);
  });

  it.each([
    ['key', { GATEWAY_AUTH: 'api-key', GATEWAY_API_KEYS: `wallet:${'0'.repeat(64)}` }],
    ['token', { GATEWAY_AUTH: 'ucan', GATEWAY_DID: 'did:web:gateway.example', UCAN_RESOURCE: 'ixo:proto' }],
  ])('of a query gateway with a %s authorises by one click', { timeout: 120_000 }, async (means, env) => {
    const { page, complaints, picture } = await blank({ viewport: { width: 1200, height: 1600 } });
    await page.goto(`${await startQueryGateway(env)}/docs`);
    await openGroup(page, 'ixo.token.v1beta1.Query');
    const route = page.locator('.opblock-get', { has: page.locator('[data-path="/proto/token/params"]') });
    await route.locator('.opblock-summary').click();
    await route.getByRole('button', { name: 'Try it out' }).click();
    const execute = async (status: string) => {
      await route.getByRole('button', { name: 'Execute' }).click();
      await route.locator('.live-responses-table .response-col_status', { hasText: status }).last().waitFor();
    };
    await execute('401');
    await page.getByRole('button', { name: 'Try as a new user' }).click();
    await page.getByRole('button', { name: 'You are a new user now' }).waitFor();
    await execute('200');
    await picture(`swagger-tried-by-${means}`);
    expect(complaints.filter((one) => !one.includes('401'))).toEqual([]);
  });

  it('of the query gateway folds its legacy paths in their own group', async () => {
    const { page } = await blank();
    await page.goto(`${queryGateway}/docs`);
    const legacy = page.locator('.opblock-tag[data-tag="Legacy paths"]');
    await legacy.waitFor();
    expect(await page.locator('.opblock-deprecated').count()).toBe(0);
    await legacy.getByRole('button').click();
    await page.locator('.opblock-deprecated').first().waitFor();
    expect(await page.locator('.opblock:not(.opblock-deprecated)').count()).toBe(0);
  });
});
