import { describe, expect, it } from 'vitest';
import { testApp } from '../../../test/app.fixture.js';
import { oracleWith, testTool } from '../api/oracle-with.fixture.js';
import { testPlugin } from '../api/plugin.fixture.js';

const boom = (): never => {
  throw new Error('broken');
};

describe('a plugin that throws', () => {
  it('in a turn is skipped and counted, and the turn continues', async () => {
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

  it('ends the turn if it is failClosed, and is counted', async () => {
    const guard = testPlugin('guard', { failClosed: true, getMiddlewares: () => ({ wrapModel: boom }) });
    const { app, follow, statusOf } = await oracleWith([guard]);
    const answer = await follow('hello');
    expect(answer).toContain('A safeguard of this service failed.');
    expect(answer).toContain('"status":"failed"');
    expect(answer).not.toContain('broken');
    expect(statusOf('guard')?.failures).toBe(1);
    await app.close();
  });

  it('in a gate fails the message, in a meter or a route only its own request', async () => {
    const gating = testPlugin('gating', { getPaymentGate: () => ({ demandOf: async () => boom() }) });
    const refusing = await oracleWith([gating]);
    expect(await refusing.follow('hello')).toContain('"statusCode":500');
    await refusing.app.close();

    const meter = { record: async () => boom() };
    const broken = testPlugin('broken', {
      getUsageMeter: () => meter,
      getRoutes: () => [(app) => void app.get('/broken', () => boom())],
      getAuthExcludedRoutes: () => ['/broken'],
    });
    const { app, say } = await oracleWith([broken]);
    expect((await app.inject({ url: '/broken' })).json()).toMatchObject({
      statusCode: 500,
      message: expect.any(String),
    });
    expect(await say('hello')).toContain('Hello');
    await app.close();
  });

  it.each([
    'getTools',
    'getResources',
    'getMiddlewares',
    'getPaymentGate',
    'getUsageMeter',
    'getFigures',
    'getRoutes',
    'getAuthExcludedRoutes',
    'autoDetect',
  ] as const)('at start, in %s, keeps the oracle from starting, and is named', async (member) => {
    const attempt = testApp({ plugins: [testPlugin('faulty', { [member]: boom })] });
    await expect(attempt).rejects.toThrow('plugin "faulty" cannot be started: broken');
  });

  it('has no middleware that is never called', async () => {
    const getMiddlewares = (): object => ({ wrapmodel: boom });
    const attempt = testApp({ plugins: [testPlugin('faulty', { getMiddlewares } as object)] });
    await expect(attempt).rejects.toThrow('there is no member "wrapmodel": did you mean wrapModel?');
  });
});
