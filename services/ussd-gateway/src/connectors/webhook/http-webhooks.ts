import { hkdfSha256, hmacSha256 } from '@mlango/crypto/hashing';
import type { Outbound } from '@mlango/outbound/outbound';
import { type Logger, maskMsisdn } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import { unanswered } from '../../effects/effect.js';
import type { Call } from '../../engine/declarations.js';
import type { QueryRequest, QueryResult, Sources } from '../../engine/flow.js';
import { callOutside } from '../call-outside.js';
import { isSigned, signingKey, signMessage } from './message-signature.js';
import { readAnswer, type WebhookResponse } from './read-answer.js';
import { privateHostsOf, type WebhookSettings, type WebhooksSettings } from './webhook-settings.js';

export interface HttpWebhooksOptions {
  readonly settings: WebhooksSettings;
  /** Derives the pseudonyms of phone numbers, separately for each webhook. */
  readonly phoneKey: Uint8Array;
  /** Longest time of a query: a hop waits for it. */
  readonly queryLimitMs: number;
  readonly clock: () => number;
  readonly logger: Logger;
  /** Called with the result of each call. */
  readonly onCall: (webhook: string, result: string) => void;
}

type WebhookSource = Sources['webhooks'];

interface Known {
  readonly settings: WebhookSettings;
  readonly keys: readonly Uint8Array[];
  readonly phoneKey: Uint8Array;
}

/** The webhooks of this deployment, over HTTP. */
export class HttpWebhooks implements WebhookSource {
  readonly #options: HttpWebhooksOptions;
  readonly #known: ReadonlyMap<string, Known>;
  /** Loaded with the first call: most deployments have no webhook. */
  #outbound: Promise<Outbound> | undefined;

  constructor(options: HttpWebhooksOptions) {
    const { settings, phoneKey } = options;
    this.#options = options;
    this.#known = new Map(
      Object.entries(settings).map(([name, own]) => {
        const keys = [own.secret, own.secretOld].flatMap((secret) => signingKey(secret ?? '') ?? []);
        const info = `mlango ussd webhook phone v1 ${name}`;
        return [name, { settings: own, keys, phoneKey: hkdfSha256(phoneKey, Buffer.alloc(0), info, 32) }];
      }),
    );
  }

  get names(): readonly string[] {
    return [...this.#known.keys()];
  }

  settingsOf(webhook: string): WebhookSettings | undefined {
    return this.#known.get(webhook)?.settings;
  }

  /** One attempt, within the time of a hop. An unusable answer is `unanswered`. */
  async query(call: Call, request: QueryRequest): Promise<QueryResult> {
    const response = await this.send(call, request, this.#options.queryLimitMs);
    return 'outcome' in response ? response.outcome : { result: unanswered };
  }

  /** Sends an act, or repeats it: the key identifies the repeat. */
  send(call: Call, request: QueryRequest, mostMs = Number.POSITIVE_INFINITY): Promise<WebhookResponse> {
    const { settings, phoneKey } = this.#of(call);
    const { key, flow, screen, language, entries } = request;
    const sent = call.sends.flatMap((name) => (Object.hasOwn(entries, name) ? [[name, entries[name]]] : []));
    const body = JSON.stringify({
      intent: key,
      operation: call.operation,
      flow,
      screen,
      language,
      entries: { ...request.with, ...Object.fromEntries(sent) },
      ...phoneOf(settings.phone, request.phoneNumber, phoneKey),
    });
    return this.#exchange(call, { method: 'POST', url: settings.url, key, body, mostMs });
  }

  /** Queries the status of an act; `unusable` without a usable answer, or if the webhook has no status address. */
  async poll(call: Call, key: string): Promise<WebhookResponse> {
    const { statusUrl } = this.#of(call).settings;
    if (statusUrl === undefined) return { kind: 'unusable', why: 'has no statusUrl' };
    const url = statusUrl.replaceAll('{intent}', encodeURIComponent(key));
    return this.#exchange(call, { method: 'GET', url, key, body: '', mostMs: Number.POSITIVE_INFINITY });
  }

  /** Whether the signature of a message to this service is one of a webhook. */
  hasSigned(webhook: string, headers: Readonly<Record<string, unknown>>, body: string): boolean {
    const known = this.#known.get(webhook);
    return known !== undefined && isSigned(known.keys, headers, this.#options.clock(), body);
  }

  async close(): Promise<void> {
    await (await this.#outbound)?.close();
  }

  /** Logs an act whose result stays unknown: an operator has to compare it with the external system. */
  logUnanswered({ webhook, operation }: Call, key: string, tries: number): void {
    const fields = { webhook, operation, intent: key, tries };
    this.#options.logger.error(fields, 'act unanswered, its result is unknown');
  }

  async #open(): Promise<Outbound> {
    const { createOutbound } = await import('@mlango/outbound/outbound');
    return createOutbound({ privateHosts: privateHostsOf(this.#options.settings) });
  }

  #of({ webhook }: Call): Known {
    const known = this.#known.get(webhook);
    if (known === undefined) throw new Error(`there is no webhook "${webhook}"`);
    return known;
  }

  async #exchange(
    call: Call,
    sent: { method: 'POST' | 'GET'; url: string; key: string; body: string; mostMs: number },
  ): Promise<WebhookResponse> {
    const { webhook, operation } = call;
    const response = await this.#try(call, sent);
    const { logger, onCall } = this.#options;
    onCall(webhook, response.kind === 'unusable' ? 'nothing' : response.kind);
    const of = { webhook, operation, intent: sent.key };
    if (response.kind === 'unusable') logger.warn({ ...of, why: response.why }, 'unusable webhook answer');
    else if ('leftOut' in response)
      logger.warn({ ...of, leftOut: response.leftOut }, 'list is longer than the flow declares');
    return response;
  }

  async #try(call: Call, sent: { method: 'POST' | 'GET'; url: string; key: string; body: string; mostMs: number }) {
    const { settings, keys } = this.#of(call);
    const { method, url, key, body, mostMs } = sent;
    this.#outbound ??= this.#open();
    const { dispatcher } = await this.#outbound;
    const reply = await callOutside(url, {
      method,
      dispatcher,
      limitMs: Math.min(settings.timeoutMs, mostMs),
      headers: {
        accept: 'application/json',
        'idempotency-key': key,
        ...signMessage(keys, key, this.#options.clock(), body),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(method === 'POST' ? { body } : {}),
    });
    if (reply.kind === 'unusable') return { kind: 'unusable', why: reply.why } as const;
    const { status, text } = reply;
    return status < 200 || status > 299
      ? ({ kind: 'unusable', why: `answers ${status}` } as const)
      : readAnswer(text, call);
  }
}

function phoneOf(how: WebhookSettings['phone'], phoneNumber: string, key: Uint8Array) {
  if (how === 'none') return {};
  if (how === 'full') return { phone: phoneNumber };
  return { phone: how === 'masked' ? maskMsisdn(phoneNumber) : hmacSha256(key, phoneNumber).toString('base64url') };
}

/** Counts calls to webhooks and their callbacks. */
export function webhookMetrics(metrics: Metrics) {
  const calls = metrics.counter({
    name: 'ussd_webhook_calls_total',
    help: 'Webhook calls by result: done, refused, pending, or nothing (no usable answer).',
    labelNames: ['webhook', 'result'],
  });
  const callbacks = metrics.counter({
    name: 'ussd_webhook_callbacks_total',
    help: 'Callbacks of webhooks: taken, repeated, pending, contradictory, refused (signature), unknown (intent), unusable.',
    labelNames: ['webhook', 'result'],
  });
  return {
    onCall: (webhook: string, result: string) => calls.inc({ webhook, result }),
    onCallback: (webhook: string, result: string) => callbacks.inc({ webhook, result }),
  };
}
