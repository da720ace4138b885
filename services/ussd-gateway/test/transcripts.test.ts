import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { playTranscript } from './support/play-transcript.js';

const flows = new URL('../flows/', import.meta.url);

const transcripts = readdirSync(flows, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /^[^/]+\/transcripts\/[^/]+\.txt$/.test(path))
  .toSorted();

describe('the dialogue', () => {
  it('has at least one transcript', () => expect(transcripts.length).toBeGreaterThan(0));

  it.each(transcripts)('%s has its written screens', async (path) => {
    await playTranscript(readFileSync(new URL(path, flows), 'utf8'));
  });
});
