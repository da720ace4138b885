import { ServiceError } from '@mlango/service-kit/errors';
import { type RunEffect, unanswered } from '../../effects/effect.js';
import { webhookEffect } from '../../engine/declarations.js';
import type { HttpWebhooks } from './http-webhooks.js';

/** Longest interval between polls of a pending act. */
const longestPauseMs = 300_000;

/** Runs the acts of webhooks. Each attempt has the key of the first. */
export function runWebhookEffects(webhooks: HttpWebhooks): Readonly<Record<string, RunEffect>> {
  const act: RunEffect = async (request, { key, tries, ageMs, place }) => {
    const { call, flow, position } = place;
    const settings = call && webhooks.settingsOf(call.webhook);
    if (call === undefined || settings === undefined) throw new Error(`${request.effect} is the act of no webhook`);
    const sent = { ...request, key, flow: flow.id, screen: position.state };
    // The status query may have the outcome already; otherwise the act is sent again.
    const seen = tries > 1 && settings.statusUrl !== undefined ? await webhooks.poll(call, key) : undefined;
    const response = seen === undefined || seen.kind === 'unusable' ? await webhooks.send(call, sent) : seen;
    if ('outcome' in response) return response.outcome;
    if (ageMs > settings.retryForSeconds * 1000) {
      webhooks.logUnanswered(call, key, tries);
      return { result: unanswered };
    }
    if (response.kind === 'unusable')
      throw new ServiceError('unavailable', `The webhook ${call.webhook} ${response.why}`);
    const retryInMs = response.retryInMs ?? settings.askAgainSeconds * 1000;
    return { pending: true, retryInMs: Math.min(longestPauseMs, Math.max(retryInMs, Math.ceil(ageMs / 10))) };
  };
  return Object.fromEntries(webhooks.names.map((name) => [webhookEffect(name), act]));
}
