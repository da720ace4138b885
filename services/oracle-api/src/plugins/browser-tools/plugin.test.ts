import { describe, expect, it } from 'vitest';
import { oracleWith } from '../api/oracle-with.fixture.js';

const tools = [
  { name: 'page.scroll', description: '', schema: {} },
  { name: 'zoom', description: 'Zooms', schema: { type: 'object', properties: { by: { type: 'number' } } } },
  { name: 'zoom', description: 'Zooms again', schema: {} },
];

describe('tools that a tab declares', () => {
  it('are offered as declared, each name once, only in the turn of that message', async () => {
    const { app, say, requests, toolsSeen, statusOf } = await oracleWith([]);
    await say('hello', { tools });
    const declared = requests.at(-1)?.tools?.filter(({ name }) => ['page.scroll', 'zoom'].includes(name));
    const inTheirWords = tools.slice(0, 2).map(({ description: theirWords, ...tool }) => ({
      ...tool,
      description: 'Of browser-tools; a third party has named and described it.',
      theirWords,
    }));
    expect(declared).toEqual(inTheirWords);
    expect(requests.at(-1)?.instructions).toContain('Browser tools (browser-tools)');
    await say('hello');
    expect(toolsSeen()).not.toContain('zoom');
    expect(requests.at(-1)?.instructions).not.toContain('browser-tools');
    expect(statusOf('browser-tools')?.failures).toBe(0);
    await app.close();
  });

  it('are not run with invalid arguments or without a tab', async () => {
    const { app, say } = await oracleWith([]);
    expect(await say('use the tool zoom with {"by": "much"}', { tools })).toContain('do not fit');
    expect(await say('use the tool zoom with {"by": 2}', { tools })).toContain('no browser tab of the user');
    await app.close();
  });

  it('yield to every tool of the oracle with the same name, also of a later plugin', async () => {
    const named = (name: string) => ({ name, description: 'of the tab', schema: {} });
    const { app, say, requests, statusOf } = await oracleWith([]);
    await say('hello', { tools: [named('remember'), named('mine')], agActions: [named('mine'), named('draw')] });
    const seen = requests.at(-1)?.tools ?? [];
    expect(seen.filter(({ name }) => name === 'remember').map(({ description }) => description)).not.toContain(
      'of the tab',
    );
    expect(seen.slice(-2).map(({ name }) => name)).toEqual(['mine', 'draw']);
    expect(statusOf('browser-tools')?.failures).toBe(0);
    await app.close();
  });

  it('are not offered if the plugin is off, and the message is answered', async () => {
    const { app, say, toolsSeen } = await oracleWith([], { features: { 'browser-tools': false } });
    expect(await say('use the tool zoom', { tools })).toEqual(expect.any(String));
    expect(toolsSeen()).toContain('remember');
    expect(toolsSeen()).not.toContain('zoom');
    await app.close();
  });
});
