import { ServiceError } from '@mlango/service-kit/errors';
import type { Effect } from '../../effects/effect.js';
import { unanswered } from '../../effects/intent.js';
import { webhookEffect } from '../../engine/call.js';
import type { HttpWebhooks } from './http-webhooks.js';

/** An act that waits is asked after at least so often. */
const longestPauseMs = 300_000;

/** Has the acts of webhooks done. Each try has the key of the first. */
export function runWebhookActs(webhooks: HttpWebhooks): Readonly<Record<string, Effect>> {
  const act: Effect = async (request, { key, tries, ageMs, place }) => {
    const { call, flow, position } = place;
    const settings = call && webhooks.settingsOf(call.webhook);
    if (call === undefined || settings === undefined) throw new Error(`${request.effect} is the act of no webhook`);
    const asked = { ...request, key, flow: flow.id, screen: position.state };
    // Whether it began may be known where it is asked for; if not, it is asked for again.
    const seen = tries > 1 && settings.statusUrl !== undefined ? await webhooks.look(call, key) : undefined;
    const heard = seen === undefined || seen.kind === 'nothing' ? await webhooks.tell(call, asked) : seen;
    if ('outcome' in heard) return heard.outcome;
    if (ageMs > settings.retryForSeconds * 1000) return { result: unanswered };
    if (heard.kind === 'nothing') throw new ServiceError('unavailable', `The webhook ${call.webhook} ${heard.why}`);
    const askAgainMs = heard.askAgainMs ?? settings.askAgainSeconds * 1000;
    return { pending: true, askAgainInMs: Math.min(longestPauseMs, Math.max(askAgainMs, Math.ceil(ageMs / 10))) };
  };
  return Object.fromEntries(webhooks.names.map((name) => [webhookEffect(name), act]));
}
