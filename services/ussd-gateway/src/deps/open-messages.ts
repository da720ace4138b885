import type { Outbound } from '@mlango/outbound/outbound';
import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import { allowance, type RateLimitStore } from '@mlango/service-kit/rate-limit';
import type { Config } from '../config.js';
import { africasTalkingMessages } from '../connectors/message/africastalking-messages.js';
import { infobipMessages } from '../connectors/message/infobip-messages.js';
import { logMessages, type MessageProvider } from '../connectors/message/message-provider.js';
import {
  type MessagesSettings,
  messagesOf,
  privateHostsOf,
  reportsPath,
} from '../connectors/message/messages-settings.js';
import { runMessages } from '../connectors/message/run-messages.js';
import { sendByWebhook, sendOnce } from '../connectors/message/send-message.js';
import type { Reports } from '../connectors/message/take-delivery-reports.js';
import type { RunEffect } from '../effects/effect.js';
import type { EffectStore } from '../effects/effect-store.js';
import { webhookEffect } from '../engine/declarations.js';

export interface MessagesOn {
  readonly effectStore: EffectStore;
  /** The effects of webhooks. */
  readonly effects: Readonly<Record<string, RunEffect>>;
  readonly counts: RateLimitStore;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Opens the sender of messages and the receiver of delivery reports; empty without MESSAGES. */
export async function openMessages(config: Config, on: MessagesOn) {
  const settings = messagesOf(config.connectors);
  if (settings === undefined) return { effects: {}, reports: undefined, close: async () => {} };
  const { effectStore, effects, counts, metrics, logger } = on;
  const ended = metrics.counter({
    name: 'ussd_messages_total',
    help: 'Messages by result: delivered, undelivered, refused, sent (no delivery report), uncertain, unsent, limited (by phone or in all), unanswered (webhook).',
    labelNames: ['result'],
  });
  const onEnded = (result: string) => ended.inc({ result });
  const { perPhonePerDay, countryCodes } = settings;
  const perDay = allowance({ store: counts, name: 'messages', max: settings.perDay, windowMs: 24 * 3_600_000 });
  const running = { effectStore, perPhonePerDay, perDay, countryCodes, logger, onEnded };
  if (settings.provider === 'webhook') {
    const act = effects[webhookEffect(settings.webhook)];
    if (act === undefined) throw new Error(`there is no webhook "${settings.webhook}"`);
    const send = sendByWebhook(settings.webhook, act);
    return { effects: runMessages({ ...running, send }), reports: undefined, close: async () => {} };
  }
  const { provider, close } = await openProvider(settings, logger);
  const secret = 'reportsSecret' in settings ? settings.reportsSecret : undefined;
  const reports: Reports | undefined =
    secret === undefined ? undefined : { provider, secret, effectStore, logger, onEnded };
  const send = sendOnce({
    provider,
    effectStore,
    logger,
    hasReports: reports !== undefined,
    retryForMs: settings.retryForSeconds * 1000,
    settleMs: 'settleSeconds' in settings ? settings.settleSeconds * 1000 : 0,
  });
  return { effects: runMessages({ ...running, send }), reports, close };
}

type ByProvider = Exclude<MessagesSettings, { provider: 'webhook' }>;

interface OpenProvider {
  readonly provider: MessageProvider;
  readonly close: () => Promise<void>;
}

async function openProvider(settings: ByProvider, logger: Logger): Promise<OpenProvider> {
  if (settings.provider === 'log') return { provider: logMessages(logger), close: async () => {} };
  // Loaded only if messages are sent.
  const { createOutbound } = await import('@mlango/outbound/outbound');
  const outbound = createOutbound({ privateHosts: privateHostsOf(settings) });
  return { provider: providerOf(settings, outbound.dispatcher), close: () => outbound.close() };
}

function providerOf(settings: Exclude<ByProvider, { provider: 'log' }>, dispatcher: Outbound['dispatcher']) {
  const { url, apiKey, timeoutMs: limitMs } = settings;
  if (settings.provider === 'africastalking') {
    const { username, from } = settings;
    return africasTalkingMessages({ url, apiKey, username, from, dispatcher, limitMs });
  }
  const { from, publicUrl, reportsSecret } = settings;
  const reportsUrl =
    publicUrl === undefined || reportsSecret === undefined
      ? undefined
      : `${publicUrl.replace(/\/$/, '')}${reportsPath}?secret=${encodeURIComponent(reportsSecret)}`;
  return infobipMessages({ url: url.replace(/\/$/, ''), apiKey, from, reportsUrl, dispatcher, limitMs });
}
