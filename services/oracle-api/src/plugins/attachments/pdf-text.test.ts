import { FairSemaphore } from '@mlango/async/fair-semaphore';
import { describe, expect, it } from 'vitest';
import { openAttachmentPools } from './attachment-pools.js';
import { pdfText } from './pdf-text.js';
import { attachmentSettings } from './settings.js';
import { smallPdf } from './small-pdf.fixture.js';

const patient = () => new AbortController().signal;
const newThreads = () =>
  openAttachmentPools((options) => new FairSemaphore(options), attachmentSettings.parse({})).pdfThreads;
const threads = newThreads();
const read = (bytes: Buffer, signal: AbortSignal, address = '192.0.2.1') =>
  pdfText(bytes, threads, { user: address, address }, signal);

describe('the text of a PDF', () => {
  it('is read in a thread, which is terminated afterwards', async () => {
    for (let time = 0; time < 3; time++) expect(await read(smallPdf('Jua'), patient())).toBe('Jua');
  });

  it('is abandoned at the time limit', async () => {
    await expect(read(smallPdf('Jua'), AbortSignal.abort())).rejects.toMatchObject({ problem: 'timeout' });
    expect(await read(smallPdf('Jua'), patient())).toBe('Jua');
  });

  it('waits in a queue while the maximum of PDFs is being read', async () => {
    const texts = ['one', 'two', 'three', 'four'];
    expect(await Promise.all(texts.map((text) => read(smallPdf(text), patient())))).toEqual(texts);
  });

  it('is read by one thread per address, and refused when too many files of the address wait', async () => {
    const pool = newThreads();
    const ofAddress = (address: string, user: string) =>
      pdfText(smallPdf('Jua'), pool, { user, address }, patient()).catch((error: unknown) => error);
    const many = Array.from({ length: 8 }, (_, index) => ofAddress('192.0.2.1', `user ${index}`));
    const other = ofAddress('192.0.2.2', 'bo');
    expect([pool.taken, pool.waiting]).toEqual([2, 6]);
    expect(await other).toBe('Jua');
    const texts = await Promise.all(many);
    expect(texts.slice(0, 7)).toEqual(Array(7).fill('Jua'));
    expect(texts[7]).toMatchObject({ problem: 'busy' });
  });

  it('is abandoned when the thread has used its processor time', async () => {
    const pool = newThreads();
    const endless = smallPdf(`Jua) Tj ${'(x) Tj '.repeat(300_000)}(`);
    const reading = pdfText(endless, pool, { user: 'a', address: 'a' }, patient(), 150);
    await expect(reading).rejects.toMatchObject({ problem: 'timeout' });
    expect(pool.taken).toBe(0);
  });

  it('is absent for a PDF without text and for a broken file', async () => {
    await expect(read(smallPdf(''), patient())).rejects.toMatchObject({ problem: 'no_text' });
    await expect(read(Buffer.from('%PDF-1.4 and no more'), patient())).rejects.toMatchObject({ problem: 'damaged' });
  });
});
