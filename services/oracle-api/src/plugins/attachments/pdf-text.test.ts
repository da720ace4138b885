import { describe, expect, it } from 'vitest';
import { pdfText } from './pdf-text.js';
import { smallPdf } from './small-pdf.fixture.js';

const patient = () => new AbortController().signal;

describe('the text of a PDF', () => {
  it('is read in a thread, which leaves nothing behind', async () => {
    for (let time = 0; time < 3; time++) expect(await pdfText(smallPdf('Jua'), patient())).toBe('Jua');
  });

  it('is not waited for any longer when the time is over', async () => {
    await expect(pdfText(smallPdf('Jua'), AbortSignal.abort())).rejects.toMatchObject({ problem: 'timeout' });
    expect(await pdfText(smallPdf('Jua'), patient())).toBe('Jua');
  });

  it('is refused while as many are read as may be at one time', async () => {
    const all = await Promise.allSettled(Array.from({ length: 4 }, () => pdfText(smallPdf('Jua'), patient())));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(all.flatMap((one) => (one.status === 'rejected' ? [one.reason.problem] : []))).toEqual(['busy', 'busy']);
    expect(await pdfText(smallPdf('Jua'), patient())).toBe('Jua');
  });

  it('is none where there is none, or the file is broken', async () => {
    await expect(pdfText(smallPdf(''), patient())).rejects.toMatchObject({ problem: 'no_text' });
    await expect(pdfText(Buffer.from('%PDF-1.4 and no more'), patient())).rejects.toMatchObject({ problem: 'damaged' });
  });
});
