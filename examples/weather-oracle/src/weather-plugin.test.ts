import { createTestOracle, type TestOracle } from '@mlango/oracle-api/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { weatherPlugin } from './weather-plugin.js';

describe('the weather oracle', () => {
  let oracle: TestOracle;
  beforeAll(async () => {
    oracle = await createTestOracle({ plugins: [weatherPlugin], env: { WEATHER_UNIT: 'F' } });
  });
  afterAll(() => oracle.close());

  it('tells the weather to its users, and says what it does not know', async () => {
    const user = await oracle.newUser();
    expect(await user.callTool('weather', { city: 'Nairobi' })).toEqual({
      status: 'done',
      output: { city: 'Nairobi', degrees: 70, unit: 'F', sky: 'sunny' },
    });
    expect((await user.callTool('weather', { city: 'Atlantis' })).output).toEqual({
      error: 'The weather of Atlantis is not known.',
    });
  });

  it('tells the weather to anybody, at a route of its own', async () => {
    expect((await oracle.inject({ url: '/weather/Kampala' })).json()).toMatchObject({ degrees: 75, sky: 'rainy' });
    expect((await oracle.inject({ url: '/weather/Atlantis' })).json()).toMatchObject({ statusCode: 404 });
  });

  it('does not start with a unit that there is not', async () => {
    const attempt = createTestOracle({ plugins: [weatherPlugin], env: { WEATHER_UNIT: 'K' } });
    await expect(attempt).rejects.toThrow('WEATHER_UNIT: must be C or F (plugin weather)');
  });
});
