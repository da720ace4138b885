import { describe, expect, it } from 'vitest';
import { testApp } from '../app.fixture.js';
import { oracleWith, testTool } from './oracle-with.fixture.js';
import { testPlugin } from './plugin.fixture.js';

describe('a plugin that throws', () => {
  it('at request time is passed over and counted, and the turn goes on', async () => {
    const boom = (): never => {
      throw new Error('broken');
    };
    const broken = testPlugin('broken', {
      getRequestTools: boom,
      getSharedState: boom,
      getMiddlewares: () => ({ beforeModel: boom, wrapModel: boom, afterModel: boom, wrapTool: boom }),
      getTools: () => [testTool('fails', boom)],
    });
    const { app, say, statusOf } = await oracleWith([
      broken,
      testPlugin('sound', { getTools: () => [testTool('works')] }),
    ]);
    expect(await say('use the tool works')).toContain('works ran');
    expect(await say('use the tool fails')).toContain('The tool failed.');
    expect(await say('hello')).toContain('Hello');
    expect(statusOf('broken')?.failures).toBeGreaterThan(5);
    expect(statusOf('sound')?.failures).toBe(0);
    await app.close();
  });

  it('at start keeps the oracle from starting, and is named', async () => {
    const broken = testPlugin('broken', {
      getTools: () => {
        throw new Error('no key');
      },
    });
    await expect(testApp({ plugins: [broken] })).rejects.toThrow('plugin "broken" cannot be started: no key');
  });
});
