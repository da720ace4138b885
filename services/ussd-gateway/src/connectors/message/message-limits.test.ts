import { keyringOf } from '@mlango/crypto/keyring';
import { createLogger } from '@mlango/service-kit/logging';
import { allowance, memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { describe, expect, it } from 'vitest';
import { emptyDatabase } from '../../../test/support/embedded-database.js';
import { readConfig } from '../../config.js';
import { messageSuffix } from '../../effects/effect.js';
import { EffectRunner } from '../../effects/effect-runner.js';
import { EffectStore } from '../../effects/effect-store.js';
import { inputSeal } from '../../effects/sealed-input.js';
import { queueEffect } from '../../engine/texts.js';
import { type RunningOptions, runMessages } from './run-messages.js';

const logger = createLogger({ service: 'test', level: 'silent' });

/** Messages with these limits; `trySend` answers each attempt. */
async function messages(limits: Pick<RunningOptions, 'perDay' | 'countryCodes'>, trySend: RunningOptions['send']) {
  const effectStore = new EffectStore(await emptyDatabase());
  const effects = runMessages({ ...limits, effectStore, send: trySend, perPhonePerDay: 20, logger, onEnded: () => {} });
  const seal = inputSeal(keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 5) }]));
  const effectRunner = new EffectRunner({ store: effectStore, effects, seal, logger });
  return async (key: string, phoneNumber: string) => {
    const request = {
      effect: queueEffect,
      key,
      phoneNumber,
      service: 'default',
      language: 'en',
      account: undefined,
      entries: {},
      with: {},
      secret: undefined,
    };
    const position = { state: 'menu', language: 'en', choices: {}, page: 0, entries: {} };
    const queued = { operation: 'terms', text: 'Terms', facts: {} };
    const place = { flow: { id: 'default', version: 1 }, nonce: 'n', position, by: '1', messages: { queued } };
    await effectRunner.act(
      { subscriber: { aggregator: 'canonical', phoneNumber, serviceCode: '*384#' }, place, request },
      5000,
    );
    await effectRunner.acknowledge(key, 's');
    await effectRunner.resumeDue(100);
    await effectRunner.idle();
    return (await effectStore.find(`${key}${messageSuffix}`))?.outcome?.result;
  };
}

const counted = (max: number) => {
  const store = memoryRateLimitStore();
  return allowance({ store, name: 'messages', max, windowMs: 86_400_000 });
};

describe('messages', () => {
  it('of all phones together are limited per day, for any number of phones', async () => {
    const sent: string[] = [];
    const send = await messages({ perDay: counted(3) }, async ({ phoneNumber }) => {
      sent.push(phoneNumber);
      return { result: 'sent' };
    });
    const results: unknown[] = [];
    for (let nr = 0; nr < 5; nr++) results.push(await send(`m${nr}`, `+25471100000${nr}`));
    expect(results).toEqual(['sent', 'sent', 'sent', 'limited', 'limited']);
    expect(sent).toHaveLength(3);
  });

  it('are sent to the listed countries only, and refused ones are not counted', async () => {
    const send = await messages({ perDay: counted(2), countryCodes: ['254', '1'] }, async () => ({ result: 'sent' }));
    expect(await send('a', '+2557110000001')).toBe('refused');
    expect(await send('b', '+881711000001')).toBe('refused');
    expect(await send('c', '+254711000001')).toBe('sent');
    expect(await send('d', '+12025550100')).toBe('sent');
  });

  it('are limited by default, and every country is allowed', () => {
    const read = (more: string) => readConfig({ MESSAGES: `provider: log\n${more}` }).connectors.MESSAGES;
    expect(read('')).toMatchObject({ perDay: 10_000 });
    expect(read('')).not.toHaveProperty('countryCodes');
    expect(read('perDay: 50\ncountryCodes: [254, "255"]')).toMatchObject({ perDay: 50, countryCodes: ['254', '255'] });
    for (const wrong of ['perDay: 0', 'countryCodes: []', 'countryCodes: [KE]', 'countryCodes: ["+254"]'])
      expect(() => read(wrong), wrong).toThrow('MESSAGES');
  });
});
