import { EnvError } from '@mlango/service-kit/env';
import { describe, expect, it } from 'vitest';
import { createTestOracle } from '../src/create-test-oracle.js';
import { featuresOf } from '../src/deps/plugin-settings.js';

describe('the FEATURES variable', () => {
  it('overrides the switches in code, which are the default', () => {
    const coded = { slack: true, memory: false } as const;
    expect(featuresOf(coded, { FEATURES: ' slack=off, chain = auto,' })).toEqual({
      slack: false,
      memory: false,
      chain: 'auto',
    });
    expect(featuresOf(coded, {})).toEqual(coded);
    expect(featuresOf(undefined, { FEATURES: 'memory=off,memory=on' })).toEqual({ memory: true });
  });

  it.each(['slack', 'slack=', '=on', 'slack=yes', 'slack=on=off', 'slack=off;memory=on'])(
    'is refused as %s',
    (value) => {
      expect(() => featuresOf({}, { FEATURES: value })).toThrow(EnvError);
    },
  );

  it('disables a plugin of the oracle, and is refused with an unknown name', async () => {
    const oracle = await createTestOracle({ env: { FEATURES: 'memory=off' } });
    const user = await oracle.newUser();
    expect(await oracle.inject({ url: '/memories', headers: user.headers })).toMatchObject({ statusCode: 404 });
    await oracle.close();
    await expect(createTestOracle({ env: { FEATURES: 'nothing=on' } })).rejects.toThrow(
      'features.nothing: there is no plugin of that name (the variable FEATURES',
    );
  });
});
