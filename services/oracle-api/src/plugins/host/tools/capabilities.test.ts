import { describe, expect, it } from 'vitest';
import { oracleWith, testTool } from '../../api/oracle-with.fixture.js';
import { manifestOf, testPlugin } from '../../api/plugin.fixture.js';

describe('capabilities on demand', () => {
  const weather = () =>
    testPlugin('weather', { manifest: manifestOf('on-demand'), getTools: () => [testTool('forecast')] });

  it('are listed, loaded within the current turn, and stay loaded in the session', async () => {
    const { app, say, requests, toolsSeen } = await oracleWith([weather()]);
    const listed = await say('use the tool list_capabilities');
    expect(listed).toContain('"name":"weather"');
    expect(toolsSeen()).not.toContain('forecast');
    expect(requests[0]?.instructions).toContain('on-demand (weather)');
    await say('use the tool load_capability with {"name":"weather"}');
    expect(toolsSeen()).toContain('forecast');
    expect(await say('use the tool forecast')).toContain('forecast ran');
    await app.close();
  });

  it('are refused with an error text if they are unknown', async () => {
    const { app, say } = await oracleWith([weather()]);
    expect(await say('use the tool load_capability with {"name":"other"}')).toContain(
      'There is no capability called other',
    );
    await app.close();
  });

  it('are absent without on-demand plugins, and never include silent plugins', async () => {
    const silent = testPlugin('silent-one', { manifest: manifestOf('silent') });
    const { app, say, requests, toolsSeen } = await oracleWith([silent]);
    await say('hello');
    expect(toolsSeen()).not.toContain('list_capabilities');
    expect(requests[0]?.instructions).not.toContain('silent');
    await app.close();
  });
});
