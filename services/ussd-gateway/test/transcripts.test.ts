import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MemoryChainReader } from '../src/connectors/chain/memory-chain-reader.fixture.js';
import { playTranscript } from './support/play-transcript.js';

const flows = new URL('../flows/', import.meta.url);

const transcripts = readdirSync(flows, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /^[^/]+\/transcripts\/[^/]+\.txt$/.test(path))
  .toSorted();

/** What the chain holds while transcripts are played: the replies beside them, by path. */
function chainOf(transcript: URL): MemoryChainReader {
  const replies = new URL('chain.json', transcript);
  return new MemoryChainReader(existsSync(replies) ? JSON.parse(readFileSync(replies, 'utf8')) : {});
}

describe('the dialogue', () => {
  it('is written down at least once', () => expect(transcripts.length).toBeGreaterThan(0));

  it.each(transcripts)('%s goes as it is written', async (path) => {
    const file = new URL(path, flows);
    await playTranscript(readFileSync(file, 'utf8'), { chain: chainOf(file) });
  });
});
