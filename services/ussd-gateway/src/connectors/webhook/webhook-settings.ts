import { bareHost, type NamedHost, portOf } from '@mlango/outbound/named-hosts';
import { outboundRules } from '@mlango/outbound/outbound-rules';
import { tokenWeakness } from '@mlango/service-kit/secrets';
import { z } from 'zod';
import { settingsText } from '../settings-text.js';
import { signingKey } from './message-signature.js';

const keyForm = 'must be whsec_ and the base64 of 24 to 64 random bytes: echo whsec_$(openssl rand -base64 32)';
const key = z.string({ error: keyForm }).refine((secret) => signingKey(secret) !== undefined, keyForm);
const address = z.url({ error: 'must be an https:// address', protocol: /^https?$/ });

const webhook = z.strictObject({
  /** Receives the calls. */
  url: address,
  /** Returns the status of an act, at `{intent}`; without it, the act is repeated with the same key. */
  statusUrl: address.refine((url) => url.includes('{intent}'), 'must have {intent} in it').optional(),
  /** Signs calls and callbacks. */
  secret: key,
  /** Previous secret: also signs and is also accepted, during key rotation. */
  secretOld: key.optional(),
  /** Allows an address in a private network, also without TLS. */
  private: z.boolean().default(false),
  /** Form of the phone number in calls; none by default. */
  phone: z.enum(['none', 'full', 'masked', 'keyed']).default('none'),
  /** Shows menus on phones that have not dialled: at most one webhook does, and it receives full phone numbers. */
  pushes: z.boolean().optional(),
  /** Longest time of one attempt. */
  timeoutMs: z.int().min(100).max(60_000).default(10_000),
  /** First interval for polling a pending act; later intervals grow. */
  askAgainSeconds: z.int().min(1).max(3600).default(5),
  /** An act is retried and polled for this long; then it is `unanswered`. Shorter than `patienceMs` of `effects/retry.ts`. */
  retryForSeconds: z.int().min(10).max(86_000).default(86_000),
});
export type WebhookSettings = z.output<typeof webhook>;
export type WebhooksSettings = Readonly<Record<string, WebhookSettings>>;

const webhooks = z.record(z.string().regex(/^[A-Za-z][\w-]{0,59}$/), webhook, {
  error: 'must be webhooks by name, in YAML or JSON',
});

/** The WEBHOOKS setting. */
export const webhooksText = settingsText(webhooks).default({});

/** Hosts allowed at private addresses. */
export function privateHostsOf(settings: WebhooksSettings): NamedHost[] {
  return Object.values(settings)
    .filter((one) => one.private)
    .flatMap(({ url, statusUrl }) => [url, ...(statusUrl === undefined ? [] : [statusUrl])])
    .map((one) => new URL(one))
    .map((url) => ({ host: bareHost(url.hostname), port: portOf(url) }));
}

/** Name of the webhook that shows menus, if any. */
export function pushingWebhook(settings: WebhooksSettings): string | undefined {
  return Object.entries(settings).find(([, { pushes }]) => pushes === true)?.[0];
}

/** Reasons why an address is not called. */
export const problemWords = {
  scheme: 'must be https:// (private: true allows http:// within a network of your own)',
  credentials: 'must have no user and no password',
  address: 'is a private address (private: true allows that)',
} as const;

/** Problems that prevent the start: a forbidden address; in production, a weak secret. */
export function webhookProblems(settings: WebhooksSettings, isProduction: boolean): string[] {
  const rules = outboundRules(privateHostsOf(settings));
  const pushing = pushingWebhook(settings);
  return Object.entries(settings).flatMap(([name, { url, statusUrl, secret, secretOld, pushes, phone }]) => {
    const isFit = pushes !== true || (name === pushing && phone === 'full');
    const pushProblems = isFit ? [] : [`${name}.pushes needs phone: full, and one webhook at most may have it`];
    const addresses = Object.entries({ url, statusUrl }).flatMap(([part, value]) => {
      const problem = value === undefined ? undefined : rules.problemOf(new URL(value));
      return problem === undefined ? [] : [`${name}.${part} ${problemWords[problem]}`];
    });
    const secrets = Object.entries({ secret, secretOld }).flatMap(([part, value]) => {
      const weakness = value === undefined || !isProduction ? undefined : tokenWeakness(value.slice('whsec_'.length));
      return weakness === undefined ? [] : [`${name}.${part} ${weakness}, which is too weak for production`];
    });
    return [...addresses, ...secrets, ...pushProblems];
  });
}
