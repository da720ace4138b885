import { createTestOracle, type TestOracle } from '@mlango/oracle-api/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homePlugin } from './home-plugin.js';
import { weatherPlugin } from './weather-plugin.js';

describe('the weather oracle', () => {
  let oracle: TestOracle;
  beforeAll(async () => {
    oracle = await createTestOracle({ plugins: [weatherPlugin], env: { WEATHER_UNIT: 'F' } });
  });
  afterAll(() => oracle.close());

  it('answers weather questions, and reports unknown places', async () => {
    const user = await oracle.newUser();
    expect(await user.callTool('weather', { city: 'Nairobi' })).toEqual({
      status: 'done',
      output: { city: 'Nairobi', degrees: 70, unit: 'F', sky: 'sunny' },
    });
    expect((await user.callTool('weather', { city: 'Atlantis' })).output).toEqual({
      error: 'The weather of Atlantis is not known.',
    });
  });

  it('has a public weather route', async () => {
    expect((await oracle.inject({ url: '/weather/Kampala' })).json()).toMatchObject({ degrees: 75, sky: 'rainy' });
    expect((await oracle.inject({ url: '/weather/Atlantis' })).json()).toMatchObject({ statusCode: 404 });
  });

  it('shows users their own town only', async () => {
    const [asha, bo] = [await oracle.newUser(), await oracle.newUser()];
    await asha.callTool('set_home_town', { town: 'Lusaka' });
    const homeOf = async ({ headers }: typeof asha) => (await oracle.inject({ url: '/home-town', headers })).json();
    expect([await homeOf(asha), await homeOf(bo)]).toEqual([{ town: 'Lusaka' }, { town: null }]);
    expect((await oracle.inject({ url: '/home-town' })).statusCode).toBe(401);
  });

  it('is found by plain words', async () => {
    const user = await oracle.newUser();
    expect(await user.say('What is the weather in Nairobi?')).toContain('70');
  });

  it('does not start with an unknown unit', async () => {
    const attempt = createTestOracle({ plugins: [weatherPlugin], env: { WEATHER_UNIT: 'K' } });
    await expect(attempt).rejects.toThrow('WEATHER_UNIT: must be C or F (plugin weather)');
  });
});

describe.each([
  ['without a table', weatherPlugin],
  ['in a table', homePlugin],
])('a stored home town %s', (_how, plugin) => {
  it('is separate for each user, spans conversations, and is replaced after a move', async () => {
    const oracle = await createTestOracle({ plugins: [plugin] });
    const [asha, bo] = [await oracle.newUser(), await oracle.newUser()];
    const unknown = { error: 'The user has not said where they live.' };
    expect((await asha.callTool('weather_at_home')).output).toEqual(unknown);
    for (const town of ['Nairobi', 'Lusaka']) {
      expect(await asha.callTool('set_home_town', { town })).toMatchObject({ status: 'done' });
    }
    expect((await asha.callTool('weather_at_home')).output).toMatchObject({ city: 'Lusaka', sky: 'cloudy' });
    expect((await bo.callTool('weather_at_home')).output).toEqual(unknown);
    await oracle.close();
  });
});
