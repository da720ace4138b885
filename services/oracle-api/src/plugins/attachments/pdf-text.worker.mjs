// Runs in a separate thread: a malformed PDF delays no other work, and the memory is bounded.
import { parentPort, workerData } from 'node:worker_threads';
import { getDocumentProxy } from 'unpdf';

/** @type {{ bytes: Uint8Array, maxPages: number, maxChars: number }} */
const { bytes, maxPages, maxChars } = workerData;

const document = await getDocumentProxy(bytes, { isEvalSupported: false, verbosity: 0 });
let text = '';
for (let number = 1; number <= Math.min(document.numPages, maxPages) && text.length < maxChars; number++) {
  /** @type {{ items: { str?: string, hasEOL?: boolean }[] }} */
  const { items } = await (await document.getPage(number)).getTextContent();
  const page = items.map(({ str = '', hasEOL = false }) => str + (hasEOL ? '\n' : '')).join('');
  text += `${text === '' ? '' : '\n\n'}${page.trim()}`;
}
parentPort?.postMessage(text.slice(0, maxChars));
