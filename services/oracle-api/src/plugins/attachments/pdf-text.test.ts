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

  it('is waited for in line while as many are read as may be at one time', async () => {
    const texts = ['one', 'two', 'three', 'four'];
    expect(await Promise.all(texts.map((text) => pdfText(smallPdf(text), patient())))).toEqual(texts);
  });

  it('is none where there is none, or the file is broken', async () => {
    await expect(pdfText(smallPdf(''), patient())).rejects.toMatchObject({ problem: 'no_text' });
    await expect(pdfText(Buffer.from('%PDF-1.4 and no more'), patient())).rejects.toMatchObject({ problem: 'damaged' });
  });
});
