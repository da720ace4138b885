import { expect } from 'vitest';
import { GatewayHandset } from '../../src/transcripts/gateway-handset.js';
import { Placeholders, playedPins } from '../../src/transcripts/play-transcript.js';
import { readTranscript } from '../../src/transcripts/read-transcript.js';
import { openTestApp, sendHop } from './test-app.js';

/** Types the inputs of a transcript, on a new app, and expects its screens. */
export async function playTranscript(text: string): Promise<void> {
  const { exchanges } = readTranscript(text);
  const [first, ...others] = exchanges;
  if (first === undefined) throw new Error('no dial');
  const app = await openTestApp();
  const handset = new GatewayHandset(async ({ text: sent, ...change }) => (await sendHop(app, sent, change)).text, {
    sessionId: 'transcript',
    phoneNumber: '+260971230567',
    serviceCode: first.typed,
  });
  const known = new Placeholders(playedPins);
  for (const [index, { typed, message, closes }] of [first, ...others].entries()) {
    const shown = index === 0 ? await handset.dial() : await handset.type(known.fill(typed));
    expect({ typed, message: shown.message, closes: shown.closes }).toEqual({
      typed,
      message: known.expect(message, shown.message),
      closes,
    });
  }
}
