import { bareHost, type NamedHost, portOf } from '@mlango/outbound/named-hosts';
import { outboundRules } from '@mlango/outbound/outbound-rules';
import { tokenWeakness } from '@mlango/service-kit/secrets';
import { z } from 'zod';
import { settingsText } from '../settings-text.js';
import { signingKey } from './sign-message.js';

const keyForm = 'must be whsec_ and the base64 of 24 to 64 random bytes: echo whsec_$(openssl rand -base64 32)';
const key = z.string({ error: keyForm }).refine((secret) => signingKey(secret) !== undefined, keyForm);
const address = z.url({ error: 'must be an https:// address', protocol: /^https?$/ });

const webhook = z.strictObject({
  /** Gets the calls. */
  url: address,
  /** Tells what became of one, at `{intent}`; without it, it is asked for again with the same key. */
  statusUrl: address.refine((url) => url.includes('{intent}'), 'must have {intent} in it').optional(),
  /** Signs what is sent and what is called back. */
  secret: key,
  /** The one before: signs as well, and is taken as well, while keys are turned. */
  secretOld: key.optional(),
  /** May be at an address of a network of one's own, and then without TLS. */
  private: z.boolean().default(false),
  /** How it is told whose call it is: not at all unless said. */
  phone: z.enum(['none', 'full', 'masked', 'keyed']).default('none'),
  /** Shows menus to phones that have not dialled: one webhook at most does, and it is told phones in full. */
  pushes: z.boolean().optional(),
  /** The longest that one try takes. */
  timeoutMs: z.int().min(100).max(60_000).default(10_000),
  /** A pending act is asked after so often at first; more seldom as time goes by. */
  askAgainSeconds: z.int().min(1).max(3600).default(5),
  /** An act is tried, and asked after, for so long; then it is `unanswered`. */
  retryForSeconds: z.int().min(10).max(86_000).default(86_000),
});
export type WebhookSettings = z.output<typeof webhook>;
export type WebhooksSettings = Readonly<Record<string, WebhookSettings>>;

const webhooks = z.record(z.string().regex(/^[A-Za-z][\w-]{0,59}$/), webhook, {
  error: 'must be webhooks by name, in YAML or JSON',
});

/** The text of WEBHOOKS. */
export const webhooksText = settingsText(webhooks).default({});

/** Hosts that may be at private addresses. */
export function privateHostsOf(settings: WebhooksSettings): NamedHost[] {
  return Object.values(settings)
    .filter((one) => one.private)
    .flatMap(({ url, statusUrl }) => [url, ...(statusUrl === undefined ? [] : [statusUrl])])
    .map((one) => new URL(one))
    .map((url) => ({ host: bareHost(url.hostname), port: portOf(url) }));
}

/** The name of the one that shows menus, if one does. */
export function pushingWebhook(settings: WebhooksSettings): string | undefined {
  return Object.entries(settings).find(([, { pushes }]) => pushes === true)?.[0];
}

/** Why an address is not called, in words. */
export const problemWords = {
  scheme: 'must be https:// (private: true allows http:// within a network of your own)',
  credentials: 'must have no user and no password',
  address: 'is a private address (private: true allows that)',
} as const;

/** What must not start: an address that is not to be called; in production a secret that can be guessed. */
export function webhookProblems(settings: WebhooksSettings, isProduction: boolean): string[] {
  const rules = outboundRules(privateHostsOf(settings));
  const pushing = pushingWebhook(settings);
  return Object.entries(settings).flatMap(([name, { url, statusUrl, secret, secretOld, pushes, phone }]) => {
    const isFit = pushes !== true || (name === pushing && phone === 'full');
    const pushProblems = isFit ? [] : [`${name}.pushes needs phone: full, and one webhook at most may have it`];
    const addresses = Object.entries({ url, statusUrl }).flatMap(([part, given]) => {
      const problem = given === undefined ? undefined : rules.problemOf(new URL(given));
      return problem === undefined ? [] : [`${name}.${part} ${problemWords[problem]}`];
    });
    const secrets = Object.entries({ secret, secretOld }).flatMap(([part, given]) => {
      const weakness = given === undefined || !isProduction ? undefined : tokenWeakness(given.slice('whsec_'.length));
      return weakness === undefined ? [] : [`${name}.${part} ${weakness}, which is too weak for production`];
    });
    return [...addresses, ...secrets, ...pushProblems];
  });
}
