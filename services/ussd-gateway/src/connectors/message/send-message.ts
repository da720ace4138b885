import { ServiceError } from '@mlango/service-kit/errors';
import type { Logger } from '@mlango/service-kit/logging';
import type { Effect, Pending } from '../../effects/effect.js';
import type { IntentStore, LeasedIntent } from '../../effects/intent-store.js';
import type { Call } from '../../engine/declarations.js';
import { countSegments } from '../../engine/gsm7.js';
import type { EffectOutcome } from '../../engine/position.js';
import { tenantOf } from '../../sessions/session-scope.js';
import {
  type Fate,
  type Message,
  type MessageProvider,
  type MessageResult,
  messageOutcome,
} from './message-provider.js';

export interface SendingOptions {
  readonly provider: MessageProvider;
  readonly intents: Pick<IntentStore, 'noteHanded'>;
  /** Whether the provider will report what becomes of a message. */
  readonly hasReports: boolean;
  /** A message that nobody takes is tried for so long. */
  readonly retryForMs: number;
  /** A message that the provider does not know so long after it was handed over was not taken. */
  readonly settleMs: number;
  readonly logger: Logger;
}

/** Brings one to its phone. @throws while nobody took it: it is called again. */
export type SendMessage = (message: Message, leased: LeasedIntent) => Promise<EffectOutcome | Pending>;

/** What was taken is waited for so long; an intent is given up after a day. */
const reportsForMs = 23 * 3_600_000;
const shortestPauseMs = 5000;
const longestPauseMs = 1_800_000;

/**
 * Sends messages by a provider that cannot tell a repeat, each once: that one is about to be handed over is noted before. Where a process ended
 * after that, or the answer is of no use, the provider is asked what became of it; one that cannot be asked leaves it `uncertain`, and it is not
 * sent again.
 */
export function sendOnce(options: SendingOptions): SendMessage {
  const { provider, intents, logger } = options;

  return async (message, leased) => {
    const { handed } = leased;
    if (handed === undefined) return handOver(message, leased);
    return handed.reference === undefined
      ? settleDoubt(message, handed.agoMs, leased)
      : waitFor(handed.reference, leased);
  };

  async function handOver(message: Message, leased: LeasedIntent): Promise<EffectOutcome | Pending> {
    if (leased.ageMs > options.retryForMs) return { result: 'unsent' };
    if (!(await intents.noteHanded(leased, 'maybe')))
      throw new ServiceError('unavailable', 'The lease of a message is lost');
    const handed = await provider.send(message);
    if (handed.kind === 'ended') {
      const { result, reason } = handed;
      const isOnItsWay = result === 'sent' || result === 'delivered';
      if (!isOnItsWay)
        logger.warn(
          { provider: provider.name, message: message.key, result, reason },
          'the provider refused a message',
        );
      return messageOutcome(result, reason);
    }
    if (handed.kind === 'taken') return take(handed.reference, leased);
    logger.warn({ provider: provider.name, message: message.key, why: handed.why }, 'a message was not handed over');
    if (handed.kind === 'unknown')
      return provider.poll === undefined ? { result: 'uncertain' } : { pending: true, askAgainInMs: shortestPauseMs };
    await intents.noteHanded(leased, 'no');
    // Tried again after a pause that grows with the tries.
    throw new ServiceError('unavailable', `The provider of messages ${handed.why}`);
  }

  async function take(reference: string, leased: LeasedIntent): Promise<EffectOutcome | Pending> {
    await intents.noteHanded(leased, { reference });
    return provider.poll === undefined && !options.hasReports
      ? { result: 'sent' }
      : { pending: true, askAgainInMs: pauseAfter(leased) };
  }

  /** It may have been taken. */
  async function settleDoubt(message: Message, agoMs: number, leased: LeasedIntent) {
    const reference = provider.referenceOf?.(message.key);
    if (provider.poll === undefined || reference === undefined) return { result: 'uncertain' };
    const fate = await provider.poll(reference);
    if (fate === 'underWay') return take(reference, leased);
    if (isEnd(fate)) return { result: fate };
    if (leased.ageMs > options.retryForMs) return { result: 'uncertain' };
    if (fate === 'silent' || agoMs < options.settleMs) return { pending: true, askAgainInMs: shortestPauseMs } as const;
    return handOver(message, leased);
  }

  /** It was taken: its end is reported, or asked for. */
  async function waitFor(reference: string, leased: LeasedIntent): Promise<EffectOutcome | Pending> {
    const fate = await provider.poll?.(reference);
    if (fate !== undefined && isEnd(fate)) return { result: fate };
    return leased.ageMs > reportsForMs ? { result: 'sent' } : { pending: true, askAgainInMs: pauseAfter(leased) };
  }

  function pauseAfter({ ageMs }: LeasedIntent): number {
    if (provider.poll === undefined) return Math.max(shortestPauseMs, reportsForMs - ageMs + 1);
    return Math.min(longestPauseMs, Math.max(shortestPauseMs, ageMs));
  }
}

/** Whether nothing more will become of a message. */
export function isEnd(fate: Fate): fate is MessageResult {
  return fate !== 'underWay' && fate !== 'notThere' && fate !== 'silent';
}

/** What a webhook that brings messages to phones is asked for, and what can come of it. */
export function messageCall(webhook: string): Call {
  return {
    ...{ webhook, operation: 'message', sends: ['text', 'segments'] },
    gives: { sent: {}, delivered: {}, undelivered: {}, refused: {}, unanswered: {} },
  };
}

/** Hands messages to a webhook, which knows a repeat by the key: as every act of one, a message is tried until it says what became of it. */
export function sendByWebhook(webhook: string, act: Effect): SendMessage {
  const call = messageCall(webhook);
  return ({ key, phoneNumber, text }, leased) => {
    const entries = { text, segments: String(countSegments(text)) };
    const { language } = leased.place.position;
    const request = {
      ...{ effect: leased.effect, key, phoneNumber, service: tenantOf(leased.aggregator), language, entries },
      account: undefined,
      with: {},
      secret: undefined,
    };
    return act(request, { ...leased, place: { ...leased.place, call } });
  };
}
