import type { Keyring } from '@mlango/crypto/keyring';
import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { Config } from '../config.js';
import { HttpWebhooks, webhookMetrics } from '../connectors/webhook/http-webhooks.js';
import type { Callbacks } from '../connectors/webhook/take-callback.js';
import type { EffectStore } from '../effects/effect-store.js';
import { backEndLimitMs } from './back-end-limit.js';

/** Opens the webhooks and the receiver of their callbacks. */
export function openWebhooks(
  config: Config,
  keys: Keyring,
  {
    effectStore,
    metrics,
    logger,
  }: { readonly effectStore: EffectStore; readonly metrics: Metrics; readonly logger: Logger },
) {
  const { onCall, onCallback } = webhookMetrics(metrics);
  const webhooks = new HttpWebhooks({
    settings: config.connectors.WEBHOOKS,
    phoneKey: keys.active.bytes,
    queryLimitMs: backEndLimitMs(config),
    clock: Date.now,
    logger,
    onCall,
  });
  const messagesBy =
    config.connectors.MESSAGES?.provider === 'webhook' ? config.connectors.MESSAGES.webhook : undefined;
  const callbacks: Callbacks = { webhooks, messagesBy, effectStore, logger, onCallback };
  return { webhooks, callbacks };
}
