import { ServiceError } from '@mlango/service-kit/errors';
import type { Logger } from '@mlango/service-kit/logging';
import type { LeasedEffect, Pending, RunEffect } from '../../effects/effect.js';
import type { EffectStore } from '../../effects/effect-store.js';
import type { Call } from '../../engine/declarations.js';
import { countSegments } from '../../engine/pages/message-limits.js';
import type { EffectOutcome } from '../../engine/position.js';
import { tenantOf } from '../../session-scope.js';
import {
  type Message,
  type MessageProvider,
  type MessageResult,
  type MessageStatus,
  messageOutcome,
} from './message-provider.js';

export interface SendingOptions {
  readonly provider: MessageProvider;
  readonly effectStore: Pick<EffectStore, 'recordSend'>;
  /** Whether the provider sends delivery reports. */
  readonly hasReports: boolean;
  /** A message that is not accepted is retried for this long. */
  readonly retryForMs: number;
  /** A message that the provider does not have this long after the send was not accepted. */
  readonly settleMs: number;
  readonly logger: Logger;
}

/**
 * Sends one message to its phone.
 *
 * @throws while it is not accepted: it is called again.
 */
export type SendMessage = (message: Message, leased: LeasedEffect) => Promise<EffectOutcome | Pending>;

/** A report is awaited for this long; an effect is abandoned after a day. */
const reportsForMs = 23 * 3_600_000;
const shortestPauseMs = 5000;
const longestPauseMs = 1_800_000;

/**
 * Sends each message once by a provider that does not detect repeats: the attempt is recorded before the send. After a
 * crash or an unusable answer the status is queried; without a status query the message is `uncertain` and is not
 * repeated.
 */
export function sendOnce(options: SendingOptions): SendMessage {
  const { provider, effectStore, logger } = options;

  return async (message, leased) => {
    const { send } = leased;
    if (send === undefined) return sendMessage(message, leased);
    return send.reference === undefined
      ? resolveUncertain(message, send.agoMs, leased)
      : waitFor(send.reference, leased);
  };

  async function sendMessage(message: Message, leased: LeasedEffect): Promise<EffectOutcome | Pending> {
    if (leased.ageMs > options.retryForMs) return { result: 'unsent' };
    if (!(await effectStore.recordSend(leased, 'maybe')))
      throw new ServiceError('unavailable', 'The lease of a message is lost');
    const sent = await provider.send(message);
    if (sent.kind === 'ended') {
      const { result, reason } = sent;
      const isOnItsWay = result === 'sent' || result === 'delivered';
      if (!isOnItsWay)
        logger.warn(
          { provider: provider.name, message: message.key, result, reason },
          'the provider refused a message',
        );
      return messageOutcome(result, reason);
    }
    if (sent.kind === 'accepted') return recordAcceptance(sent.reference, leased);
    logger.warn({ provider: provider.name, message: message.key, why: sent.why }, 'sending a message failed');
    if (sent.kind === 'unknown')
      return provider.poll === undefined ? { result: 'uncertain' } : { pending: true, retryInMs: shortestPauseMs };
    await effectStore.recordSend(leased, 'no');
    // Retried after a pause that grows with the attempts.
    throw new ServiceError('unavailable', `The provider of messages ${sent.why}`);
  }

  async function recordAcceptance(reference: string, leased: LeasedEffect): Promise<EffectOutcome | Pending> {
    await effectStore.recordSend(leased, { reference });
    return provider.poll === undefined && !options.hasReports
      ? { result: 'sent' }
      : { pending: true, retryInMs: pauseAfter(leased) };
  }

  /** The message may have been accepted. */
  async function resolveUncertain(message: Message, agoMs: number, leased: LeasedEffect) {
    const reference = provider.referenceOf?.(message.key);
    if (provider.poll === undefined || reference === undefined) return { result: 'uncertain' };
    const status = await provider.poll(reference);
    if (status === 'underWay') return recordAcceptance(reference, leased);
    if (isFinal(status)) return { result: status };
    if (leased.ageMs > options.retryForMs) return { result: 'uncertain' };
    if (status === 'unreadable' || agoMs < options.settleMs)
      return { pending: true, retryInMs: shortestPauseMs } as const;
    return sendMessage(message, leased);
  }

  /**
   * The message was accepted: its result is reported or polled. A provider that no longer knows it does not undo the acceptance, so
   * without a final status the outcome is `sent`.
   */
  async function waitFor(reference: string, leased: LeasedEffect): Promise<EffectOutcome | Pending> {
    const status = await provider.poll?.(reference);
    if (status !== undefined && isFinal(status)) return { result: status };
    return leased.ageMs > reportsForMs ? { result: 'sent' } : { pending: true, retryInMs: pauseAfter(leased) };
  }

  function pauseAfter({ ageMs }: LeasedEffect): number {
    if (provider.poll === undefined) return Math.max(shortestPauseMs, reportsForMs - ageMs + 1);
    return Math.min(longestPauseMs, Math.max(shortestPauseMs, ageMs));
  }
}

/** Whether a status is final. */
export function isFinal(status: MessageStatus): status is MessageResult {
  return status !== 'underWay' && status !== 'notFound' && status !== 'unreadable';
}

/** Declaration of the call to a webhook that sends messages. */
export function messageCall(webhook: string): Call {
  return {
    webhook,
    operation: 'message',
    sends: ['text', 'segments'],
    gives: { sent: {}, delivered: {}, undelivered: {}, refused: {}, unanswered: {} },
  };
}

/**
 * Sends messages by a webhook, which detects a repeat by the key: like every act, a message is retried until its
 * outcome is known.
 */
export function sendByWebhook(webhook: string, act: RunEffect): SendMessage {
  const call = messageCall(webhook);
  return ({ key, phoneNumber, text }, leased) => {
    const entries = { text, segments: String(countSegments(text)) };
    const { language } = leased.place.position;
    const request = {
      effect: leased.effect,
      key,
      phoneNumber,
      service: tenantOf(leased.aggregator),
      language,
      entries,
      account: undefined,
      with: {},
      secret: undefined,
    };
    return act(request, { ...leased, place: { ...leased.place, call } });
  };
}
