import { findChromium } from '@mlango/test-services/find-chromium';
import { isSoundInEveryLook } from '@mlango/test-services/looks';
import { endPrograms } from '@mlango/test-services/program';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { press, reach, tabTo, write } from './support/keyboard.js';
import { pagesOn } from './support/pages.js';
import { openBrowser, openPage, type WatchedPage } from './support/real-browser.js';
import { startPlayground, startQueryGateway } from './support/running-doors.js';

const executablePath = findChromium();

const views = [
  ['entities', '#/chain', 'did:ixo:entity:e0001'],
  ['entity', '#/chain/entities/did:ixo:entity:e0001', 'What a conversation costs'],
  ['claims', '#/chain/claims', 'bafkreia2cpcy'],
  ['collections', '#/chain/collections', 'Collection 1'],
  ['collection', '#/chain/collections/1', '78 claims'],
  ['validators', '#/chain/validators', 'validator-4'],
  ['account', '#/chain/accounts/ixo19rl4cm2hmr8afy4kldpxz3fka4jguq0ar4n0mx', '1000 IXO'],
  ['transaction', '#/chain/transactions/40B3F6F4B7BB025FB83A4658F99861EC6D4A3E8CE7CB757377687A7E00034405', 'MsgSend'],
  ['block', '#/chain/blocks/2', 'MsgSend'],
  ['nothing', '#/chain/find/bafkreiaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'What can be found'],
  ['claim', '#/chain/claims/bafkreia3is4xu2h5oyzv55muyjxjqz73guhtjtiqcqn6uiqqpneaxgv4he', 'Evaluations'],
  ['tokens', '#/chain/tokens', 'CARBON-1-1'],
  ['token', '#/chain/tokens/f36afe45ee8846ba217f549601db143e', 'tonne of carbon dioxide'],
  ['queries', '#/chain/queries/ixo.claims.v1beta1.Query.ClaimList', 'All claims of all collections'],
] as const;

describe.skipIf(executablePath === undefined)('the chain explorer', { timeout: 60_000 }, () => {
  const pages = pagesOn(async () => startPlayground({ PROTO_GATEWAY_URL: await startQueryGateway() }));
  let watched: WatchedPage;
  let page: Page;

  beforeEach(async () => {
    watched = await pages.blank();
    page = watched.page;
  });

  const open = async (route: string, words: string) => {
    await page.goto(`${pages.base()}/${route}`);
    await page.getByText(words).first().waitFor();
  };

  it.each(views)('shows %s in every look without a serious fault', async (name, route, words) => {
    await open(route, words);
    expect(await watched.layoutShift()).toBeLessThan(0.01);
    await isSoundInEveryLook(watched, `chain-${name}`);
    // Browsers log each 404 to the console.
    expect(watched.complaints.filter((text) => name !== 'nothing' || !text.includes('404'))).toEqual([]);
  });

  it('turns pages, and goes from a list to one and back', async () => {
    await open('#/chain', 'did:ixo:entity:e0001');
    await press(page.getByRole('link', { name: 'Next' }));
    await press(page.getByRole('link', { name: 'did:ixo:entity:e0021' }));
    await page.getByRole('heading', { name: 'did:ixo:entity:e0021' }).waitFor();
    await press(page.getByRole('link', { name: '← All entities' }));
    await page.getByRole('link', { name: 'did:ixo:entity:e0001' }).waitFor();
    expect(watched.complaints).toEqual([]);
    await page.goBack();
    await page.getByRole('heading', { name: 'did:ixo:entity:e0021' }).waitFor();
    await page.goBack();
    await page.getByText('Page 2').waitFor();
  });

  it('shows the last block without the OpenAPI description, and can pause new blocks', async () => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await open('#/chain', 'did:ixo:entity:e0001');
    await press(page.getByRole('link', { name: /Block [\d,]{5,}/ }));
    await press(page.getByRole('button', { name: 'Pause' }));
    await page.getByText('Paused').waitFor();
    await page.getByRole('listitem').getByText(/UTC/).first().waitFor();
    await press(page.getByRole('button', { name: 'Resume' }));
    await page.getByText('Live:').waitFor();
    expect(requested.filter((url) => url.includes('openapi'))).toEqual([]);
  });

  it.each([
    ['did:ixo:entity:e0042', 'did:ixo:entity:e0042'],
    ['ixo19rl4cm2hmr8afy4kldpxz3fka4jguq0ar4n0mx', 'ixo19rl4cm2hmr8afy4kldpxz3fka4jguq0ar4n0mx'],
    ['40b3f6f4b7bb025fb83a4658f99861ec6d4a3e8ce7cb757377687a7e00034405', 'Transaction 40B3'],
    ['f36afe45ee8846ba217f549601db143e', 'CARBON-1-1'],
    ['bafkreia3is4xu2h5oyzv55muyjxjqz73guhtjtiqcqn6uiqqpneaxgv4he', 'bafkreia3is4xu'],
    ['ixovaloper14962z54tatm2trjxwqvd7ynysragl4e6te5he2', 'validator-4'],
    ['1,234', 'Block 1,234'],
  ])('finds %s', async (text, heading) => {
    await open('#/chain', 'did:ixo:entity:e0001');
    await write(page.getByLabel('Find anything'), text);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: heading }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'did:ixo:entity:e0001' }).waitFor();
  });

  it('offers two matches', async () => {
    await open('#/chain/find/7', 'Results for 7');
    await page.getByRole('link', { name: 'Block 7' }).waitFor();
    await press(page.getByRole('link', { name: 'Collection 7' }));
    await page.getByRole('heading', { name: 'Collection 7' }).waitFor();
  });

  it('preserves filters and the selected block in the address, also across links', async () => {
    await open('#/chain/claims?status=REJECTED&collection=11&at=1234', '1,000 claims'.replace(',', ''));
    expect(await page.getByLabel('Status').inputValue()).toBe('REJECTED');
    await press(page.getByRole('row').nth(1).getByRole('link').first());
    await page.getByRole('heading', { name: 'Evaluations' }).waitFor();
    expect(page.url()).toContain('at=1234');
    await press(page.getByRole('link', { name: 'Back to the latest block' }));
    await expect.poll(() => page.url()).not.toContain('at=');
  });

  it('decodes base64 in a response, and embedded resources', async () => {
    await open('#/chain', 'did:ixo:entity:e0001');
    await press(page.getByText('Raw answer'));
    await press(page.getByText('Decoded base64'));
    await page.getByText('did:ixo:entity:e0021', { exact: true }).waitFor();
    await open('#/chain/entities/did:ixo:entity:e0001', 'What a conversation costs');
    await press(page.getByText('Show content').first());
    await page.getByText('"denom": "uixo"').first().waitFor();
  });

  it('sends any query by a form, at a selected block', async () => {
    await open('#/chain/queries', 'Choose a query');
    await write(page.getByLabel(/Filter \d+ queries/), 'collectionlist');
    await press(page.getByRole('link', { name: /^CollectionList/ }));
    await write(page.getByLabel('pagination.limit'), '1');
    await write(page.getByLabel('x-cosmos-block-height'), '1234');
    await press(page.getByRole('button', { name: 'Ask', exact: true }));
    const answer = page.getByRole('region', { name: 'Answer', exact: true });
    await answer.getByText('Block 1,234').waitFor();
    const json = answer.getByRole('region', { name: 'Answer as JSON' });
    expect(await json.innerText()).toContain('"id": "1"');
    // A long answer scrolls in its place.
    const bottom = async (one: Locator) =>
      ((await one.boundingBox())?.y ?? 0) + ((await one.boundingBox())?.height ?? 0);
    await json.press('End');
    await expect.poll(async () => (await bottom(json.locator('pre'))) <= (await bottom(answer))).toBe(true);
    expect(watched.complaints).toEqual([]);
  });

  it('shows a query as a shell command', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('#/chain/queries/ixo.token.v1beta1.Query.Params', 'Settings of the module.');
    await press(page.getByRole('button', { name: 'Copy as curl' }));
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `curl -sS '${pages.base()}/chain/proto/token/params'`,
    );
  });

  it('shows the chain’s error for a missing object', async () => {
    await open('#/chain/claims/nope', '404');
    const told = page.getByRole('alert');
    expect(await told.innerText()).toMatch(/Not found: nope[\s\S]*claim not found/);
    await told.getByRole('link', { name: 'Go to the entity with this id' }).waitFor();
    await isSoundInEveryLook(watched, 'lost-claim');
    await press(page.getByRole('link', { name: 'Search for this id everywhere' }));
    await page.getByRole('heading', { name: 'Nothing found for nope' }).waitFor();
  });

  it('explains an unknown address, its closest match, and where to search ids', async () => {
    await open('#/chain/claim', 'Page not found');
    await page.getByText('Did you mean').getByRole('link', { name: 'Claims' }).waitFor();
    await open('#/chain/entity/did:ixo:entity:e0042', 'Page not found');
    await isSoundInEveryLook(watched, 'lost-view');
    await press(page.getByRole('link', { name: 'find it on the chain' }));
    await page.getByRole('heading', { name: 'did:ixo:entity:e0042' }).waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('can be used with the keyboard alone', async () => {
    await open('#/chain', 'did:ixo:entity:e0001');
    await tabTo(page, /^Find anything$/);
    await page.keyboard.type('did:ixo:entity:e0042');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'did:ixo:entity:e0042' }).waitFor();
    await tabTo(page, /^Claims$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Claims', exact: true }).waitFor();
    await tabTo(page, /^bafkrei/);
    await page.keyboard.press('Enter');
    await page.getByText('Evaluations').waitFor();
    await page.evaluate('document.activeElement.blur()');
    await tabTo(page, /^All queries$/);
    await page.keyboard.press('Enter');
    await reach(page.getByLabel(/Filter \d+ queries/));
    await page.keyboard.type('token params');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('/token/params');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await reach(page.getByRole('button', { name: 'Ask', exact: true }));
    await page.keyboard.press('Space');
    await page.getByText('ixo1155_contract_code').waitFor();
    expect(watched.complaints).toEqual([]);
  });
});

describe.skipIf(executablePath === undefined)('the chain explorer without a gateway', { timeout: 60_000 }, () => {
  it('shows it, and retries on request', async () => {
    const base = await startPlayground({});
    const browser = await openBrowser(executablePath);
    try {
      const { page } = await openPage(browser);
      await page.goto(`${base}/#/chain`);
      await page.getByRole('alert').filter({ hasText: '503' }).waitFor();
      await press(page.getByRole('button', { name: 'Retry' }));
      await page.getByRole('alert').filter({ hasText: '503' }).waitFor();
    } finally {
      await browser.close();
      await endPrograms();
    }
  });
});
