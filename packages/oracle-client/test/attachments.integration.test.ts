import { findFaults } from '@mlango/test-services/find-faults';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { executablePath, openBrowser } from './real-browser.fixture.js';

/** Red, one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);
const text = (name: string, content = `${name} says hello`) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});

describe.skipIf(executablePath === undefined)('files of a message, in a real browser', { timeout: 60_000 }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    browser = await openBrowser('oracle-page.fixture.tsx');
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    ({ page, complaints } = await browser.newPage());
  });
  afterEach(async () => {
    await page.context().close();
    expect(complaints).toEqual([]);
  });

  const chips = () => page.locator('form').getByRole('list', { name: 'Attachments' }).getByRole('listitem');
  const choose = (...files: Parameters<Page['setInputFiles']>[1][]) =>
    page.setInputFiles('input[type=file]', files.flat() as Parameters<Page['setInputFiles']>[1]);
  const send = async (message: string) => {
    await page.getByLabel('Message', { exact: true }).fill(message);
    await page.getByRole('button', { name: 'Send' }).click();
  };

  it('are sent with it, read, and shown after a reload: images inline, others as downloads', async () => {
    await choose(text('notes.txt'), { name: 'red.png', mimeType: 'image/png', buffer: png });
    await send('summarise the file');
    const sent = page.getByRole('article', { name: 'You' });
    await sent.getByRole('img', { name: 'red.png' }).waitFor();
    expect(await chips().count()).toBe(0);
    await page.getByTestId('status').filter({ hasText: 'ready' }).waitFor();
    const link = sent.getByRole('link', { name: 'Open red.png' });
    expect(await link.getAttribute('href')).toMatch(/^blob:/);
    expect(await findFaults(page)).toEqual([]);
    await page.reload();
    await page
      .getByRole('button', { name: /^summarise/i })
      .first()
      .click();
    await sent.getByRole('img', { name: 'red.png' }).waitFor();
    const saving = page.waitForEvent('download');
    await sent.getByRole('button', { name: 'Open notes.txt' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('notes.txt');
    const chunks = await (await saved.createReadStream()).toArray();
    expect(Buffer.concat(chunks).toString()).toBe('notes.txt says hello');
  });

  it('are pasted, dropped and removed, and stay in a draft after a reload', async () => {
    await send('hello');
    await page.getByTestId('status').filter({ hasText: 'ready' }).waitFor();
    const give = (kind: 'paste' | 'drop', name: string) =>
      page.evaluate(
        ([type, filename]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File(['some text'], filename, { type: 'text/plain' }));
          const at = document.querySelector(type === 'paste' ? 'textarea' : '.mlango-thread');
          const init = { bubbles: true, cancelable: true };
          at?.dispatchEvent(
            type === 'paste'
              ? new ClipboardEvent('paste', { ...init, clipboardData: transfer })
              : new DragEvent('drop', { ...init, dataTransfer: transfer }),
          );
        },
        [kind, name] as const,
      );
    await give('paste', 'pasted.txt');
    await give('drop', 'dropped.txt');
    await page.getByRole('button', { name: 'Remove dropped.txt' }).waitFor();
    await expect.poll(() => page.getByRole('progressbar').count(), { timeout: 10_000 }).toBe(0);
    const deleted = page.waitForResponse((reply) => reply.request().method() === 'DELETE');
    await page.getByRole('button', { name: 'Remove pasted.txt' }).click();
    expect((await deleted).status()).toBe(200);
    await page.reload();
    await page.getByRole('button', { name: 'hello', exact: true }).first().click();
    expect(await chips().allInnerTexts()).toEqual([expect.stringMatching(/^dropped\.txt\s*1 kB$/)]);
    await send('summarise the file');
    await page.getByRole('button', { name: 'Open dropped.txt' }).waitFor();
  });

  it('delay a message until they are uploaded, and can be cancelled', async () => {
    const held: (() => void)[] = [];
    const sent: string[] = [];
    await page.route(/\/attachments\?/, async (route) => {
      sent.push(new URL(route.request().url()).searchParams.get('filename') ?? '');
      if (route.request().method() === 'POST') await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => undefined);
    });
    await choose(text('one.txt'), text('two.txt'), { ...text('song.mp3'), mimeType: 'audio/mpeg' });
    await page.getByText('This oracle cannot read this type of file').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByLabel('Message', { exact: true }).fill('summarise the file');
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Remove song.mp3' }).click();
    await page.getByRole('button', { name: 'Remove one.txt' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Sending once the files are uploaded').waitFor();
    expect(await page.getByTestId('human-text').count()).toBe(0);
    await expect.poll(() => sent, { timeout: 10_000 }).toEqual(['one.txt', 'two.txt']);
    for (const go of held) go();
    await page.getByRole('button', { name: 'Open two.txt' }).waitFor();
    expect(await page.getByRole('button', { name: 'Open one.txt' }).count()).toBe(0);
    complaints.length = 0;
  });

  it('does not send without a failed file, and shows the reason: one can be retried, one is too large', async () => {
    await page.route(/\/attachments\?/, (route) => route.abort(), { times: 1 });
    await choose(text('late.txt'));
    await page.getByText('Upload failed. Check your connection, then retry.').waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Upload failed. Check your connection, then retry.').waitFor({ state: 'detached' });
    const posted: string[] = [];
    page.on('request', (request) => posted.push(request.method()));
    await choose(text('large.txt', 'x'.repeat(6_000_000)));
    await page.getByText('Larger than 5.2 MB').waitFor();
    expect(posted).not.toContain('POST');
    expect(await chips().allInnerTexts()).toEqual([
      expect.stringMatching(/^late\.txt/),
      expect.stringMatching(/^large\.txt\s*6 MB/),
    ]);
    complaints.length = 0;
  });
});
