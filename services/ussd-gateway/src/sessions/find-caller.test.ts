import { createLogger } from '@mlango/service-kit/logging';
import { describe, expect, it } from 'vitest';
import type { StoredEffect } from '../effects/effect.js';
import { type Caller, callerFinder } from './find-caller.js';

const subscriber = { aggregator: 'canonical', phoneNumber: '+260971230567', serviceCode: '*384#' };
const position = { state: 'menu', language: 'en', choices: {}, page: 0 };
const place = { flow: { id: 'default', version: 1 }, nonce: 'n', position, by: '1' };
const ended: StoredEffect = { key: 'k', place, state: 'settled', outcome: { result: 'paid' } };
const underWay: StoredEffect = { key: 'k', place, state: 'running', outcome: undefined };

function open(...answers: readonly (Caller | Error)[]) {
  const left = [...answers];
  const logger = createLogger({ service: 'test', level: 'silent' });
  const find = async () => {
    const answer = left.shift();
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('one look too many');
    return answer;
  };
  return { look: callerFinder({ find, clock: Date.now, logger, recheckAfterMs: 1 }), left };
}

describe('an outcome found by a dial', () => {
  it('is not shown again if a replica stored meanwhile that it was shown', async () => {
    const { look } = open({ language: 'sw', unacknowledged: ended }, { language: 'sw' });
    expect(await look(subscriber)).toEqual({ language: 'sw' });
  });

  it('is shown if it was not acknowledged', async () => {
    const { look, left } = open({ unacknowledged: ended }, { unacknowledged: ended });
    expect(await look(subscriber)).toEqual({ unacknowledged: ended });
    expect(left).toEqual([]);
  });

  it('is shown if the second lookup fails', async () => {
    expect(await open({ unacknowledged: ended }, new Error('down')).look(subscriber)).toEqual({
      unacknowledged: ended,
    });
  });

  it('is looked up once while it is pending, or if there is none', async () => {
    expect(await open({ unacknowledged: underWay }).look(subscriber)).toEqual({ unacknowledged: underWay });
    expect(await open({ language: 'fr' }).look(subscriber)).toEqual({ language: 'fr' });
  });
});
