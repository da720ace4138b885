import { describe, expect, it } from 'vitest';
import { testApp } from '../app.fixture.js';
import { oracleWith, testTool } from './oracle-with.fixture.js';
import { testPlugin } from './plugin.fixture.js';

const boom = (): never => {
  throw new Error('broken');
};

describe('a plugin that throws', () => {
  it('at request time is passed over and counted, and the turn goes on', async () => {
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

  it.each([
    ['getTools', { getTools: boom }],
    ['getMiddlewares', { getMiddlewares: boom }],
    ['getRoutes', { getRoutes: boom }],
    ['getAuthExcludedRoutes', { getAuthExcludedRoutes: boom }],
    ['autoDetect', { autoDetect: boom }],
  ])('at start, in %s, keeps the oracle from starting, and is named', async (_member, members) => {
    const attempt = testApp({ plugins: [testPlugin('faulty', members)] });
    await expect(attempt).rejects.toThrow('plugin "faulty" cannot be started: broken');
  });
});
