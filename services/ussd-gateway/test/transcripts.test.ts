import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Handset } from '../src/terminal/handset.js';
import { Placeholders } from '../src/terminal/placeholders.js';
import { readTranscript } from '../src/terminal/transcript.js';
import { openTestApp, sendHop } from './support/test-app.js';

const flows = new URL('../src/flows/', import.meta.url);
const pins = { 'PIN 1': '48291', 'PIN 2': '73506', 'PIN 3': '19384', 'PIN 4': '60715' };

const transcripts = readdirSync(flows, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /^[^/]+\/transcripts\/[^/]+\.txt$/.test(path))
  .toSorted();

describe('the dialogue', () => {
  it('is written down at least once', () => expect(transcripts.length).toBeGreaterThan(0));

  it.each(transcripts)('%s goes as it is written', async (path) => {
    const { exchanges } = readTranscript(readFileSync(new URL(path, flows), 'utf8'));
    const [first, ...others] = exchanges;
    if (first === undefined) throw new Error('no dial');
    const app = await openTestApp();
    const handset = new Handset(async ({ text, ...change }) => (await sendHop(app, text, change)).text, {
      sessionId: 'transcript',
      phoneNumber: '+260971230567',
      serviceCode: first.typed,
    });
    const known = new Placeholders(pins);
    for (const { typed, message, closes } of [first, ...others]) {
      const shown =
        typed === first.typed && handset.exchanges.length === 0
          ? await handset.dial()
          : await handset.type(known.fill(typed));
      expect({ typed, message: shown.message, closes: shown.closes }).toEqual({
        typed,
        message: known.expect(message, shown.message),
        closes,
      });
    }
  });
});
