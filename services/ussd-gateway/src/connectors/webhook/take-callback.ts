import { ServiceError } from '@mlango/service-kit/errors';
import type { Logger } from '@mlango/service-kit/logging';
import { parseJson, withoutByteOrderMark } from '@mlango/service-kit/parse-json';
import { z } from 'zod';
import { contradicted, differ, unanswered } from '../../effects/effect.js';
import { changes } from '../../effects/effect-states.js';
import type { EffectStore } from '../../effects/effect-store.js';
import { messageCall } from '../message/send-message.js';
import type { HttpWebhooks } from './http-webhooks.js';
import { readAnswer } from './read-answer.js';

/** Result of a callback. */
export type CallbackResult = 'taken' | 'repeated' | 'contradictory' | 'pending';

export interface Callbacks {
  readonly webhooks: Pick<HttpWebhooks, 'names' | 'hasSigned'>;
  /** The webhook that sends messages to phones, if any. */
  readonly messagesBy?: string | undefined;
  readonly effectStore: Pick<EffectStore, 'find' | 'settle'>;
  readonly logger: Logger;
  /** Called with the result of every callback, or the reason of its refusal. */
  readonly onCallback: (webhook: string, result: CallbackResult | 'refused' | 'unknown' | 'unusable') => void;
}

export interface Callback {
  readonly webhook: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const named = z.object({ intent: z.string().min(1).max(200) });

/**
 * Stores the outcome of an act that a webhook reports later. The first definite outcome stays: an equal one changes
 * nothing; another one is stored as a contradiction, logged and counted.
 *
 * @throws {ServiceError} `not_found` for an unknown webhook or intent, `unauthenticated` without a recent valid
 * signature, `invalid_argument` for an unusable message; errors of the store.
 */
export async function takeCallback({ webhook, headers, body }: Callback, on: Callbacks): Promise<CallbackResult> {
  const { webhooks, messagesBy = '', effectStore, logger, onCallback } = on;
  const refuse = (result: 'refused' | 'unknown' | 'unusable', error: ServiceError): never => {
    onCallback(webhook, result);
    throw error;
  };
  if (!webhooks.names.includes(webhook)) throw new ServiceError('not_found', 'There is no such webhook');
  if (!webhooks.hasSigned(webhook, headers, body)) {
    return refuse('refused', new ServiceError('unauthenticated', 'The signature or its time is not right'));
  }
  const key = named.safeParse(parseJson(withoutByteOrderMark(body))).data?.intent;
  if (key === undefined) return refuse('unusable', new ServiceError('invalid_argument', 'The body names no intent'));
  const known = await effectStore.find(key);
  const call = known?.place.message === undefined ? known?.place.call : messageCall(messagesBy);
  if (call?.webhook !== webhook) return refuse('unknown', new ServiceError('not_found', 'There is no such intent'));
  const response = readAnswer(body, call);
  if (response.kind === 'unusable')
    return refuse('unusable', new ServiceError('invalid_argument', `The body ${response.why}`));
  const result = response.kind === 'pending' ? 'pending' : await settle(response.outcome);
  onCallback(webhook, result);
  return result;

  async function settle(outcome: { readonly result: string }): Promise<CallbackResult> {
    const stored = await effectStore.settle(key ?? '', outcome, 'reported');
    if (differ(stored, outcome)) {
      const results = { stored: stored.result, reported: outcome.result };
      logger.error({ webhook, intent: key, ...results }, contradicted);
      return 'contradictory';
    }
    const isFirst = known !== undefined && changes(known.state, 'reported');
    return isFirst || known?.outcome?.result === unanswered ? 'taken' : 'repeated';
  }
}
