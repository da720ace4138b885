import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesOracle, shapesOf } from '../../files/files-oracle.fixture.js';
import { McpPeer, onePixel } from './mcp-peer.fixture.js';
import { mcpSettings } from './settings.js';

describe('files in the result of an MCP tool', () => {
  const peer = new McpPeer();
  beforeAll(() => peer.listen());
  afterAll(() => peer.close());

  async function photographed(options: Parameters<typeof filesOracle>[1] = {}) {
    const settings = new Map([
      ['mcp', mcpSettings.parse({ MCP_SERVERS: JSON.stringify({ desk: { url: peer.url } }) })],
    ]);
    const app = { settings, features: { mcp: true } };
    const oracle = await filesOracle('openai', { ...options, app });
    const { sessionId } = await oracle.own<{ sessionId: string }>('a', '/sessions', 'POST');
    const say = (message: string) => oracle.own('a', `/messages/${sessionId}`, 'POST', { message });
    await say('use the tool desk__camera');
    const [, answer] = await oracle.listed('a', sessionId);
    return {
      oracle,
      say,
      call: answer?.toolCalls?.[0] as { output: string; attachments?: { attachmentId: string }[] },
    };
  }

  it('reach a model that accepts them, with the result that names them', async () => {
    const { oracle, say, call } = await photographed();
    const result = oracle.requests.at(-1)?.messages.at(-1);
    expect(result?.role).toBe('tool');
    expect(shapesOf(result?.files ?? [])).toEqual([['image', 'image/png', onePixel], ['text']]);
    expect(call.output).toBe(JSON.stringify('Here it is.\n[image/png: file.png]\n[text/csv: notes.csv]'));
    // A later turn receives the names, without a second copy.
    await say('And now?');
    expect(oracle.received().all).toEqual([]);
    expect(JSON.stringify(oracle.requests.at(-1)?.messages)).toContain('[image/png: file.png]');
  });

  it('are attachments of the session, readable by their owner only', async () => {
    const { oracle, call } = await photographed();
    expect(call.attachments).toMatchObject([{ mimetype: 'image/png' }, { mimetype: 'text/plain' }]);
    const read = async (user: string) => {
      const url = `${oracle.base}/attachments/${call.attachments?.[0]?.attachmentId}`;
      return fetch(url, { headers: await oracle.headersOf(user) });
    };
    expect(Buffer.from(await (await read('a')).arrayBuffer()).toString('base64')).toBe(onePixel);
    expect((await read('b')).status).toBe(404);
  });

  it('are named with the reason if they are not shown', async () => {
    const blind = await photographed({ seesImages: false });
    expect(blind.call.output).toContain('[image/png that is not shown: the model local cannot look at images');
    const off = await photographed({ isOff: true });
    expect(off.call.output).toContain('[image/png that is not shown: this oracle accepts no files]');
    const full = await photographed({ env: { ATTACHMENT_USER_BYTES: '10' } });
    expect(full.call.output).toContain('[image/png that is not shown: Your storage is full');
  });
});
