import type { Effect } from '../../effects/effect.js';
import type { Call } from '../../engine/call.js';
import { countSegments } from '../../engine/sms-segments.js';
import { tenantOf } from '../../sessions/session-scope.js';
import type { SendMessage } from './send-message.js';

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
