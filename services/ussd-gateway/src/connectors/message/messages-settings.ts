import { bareHost, type NamedHost, portOf } from '@mlango/outbound/named-hosts';
import { outboundRules } from '@mlango/outbound/outbound-rules';
import { tokenWeakness } from '@mlango/service-kit/secrets';
import { z } from 'zod';
import { settingsText } from '../settings-text.js';
import { problemWords, type WebhooksSettings } from '../webhook/webhook-settings.js';

/** Path for delivery reports. */
export const reportsPath = '/api/ussd/callbacks/messages/reports';

const address = z.url({ error: 'must be an https:// address', protocol: /^https?$/ });
const secret = z.string().min(16, 'must be at least 16 characters').max(200);
const noKey = 'is missing: add the key that the provider shows in your account, such as apiKey: 0f1e…';
const apiKey = z
  .string({
    error: ({ input }) => (input === undefined || input === null ? noKey : 'must be a text: put it in quotes'),
  })
  .min(16, 'must be at least 16 characters')
  .max(200);

const sending = {
  /** Messages per phone in 24 hours. */
  perPhonePerDay: z.int().min(1).max(10_000).default(20),
  /** Messages of all phones per day. */
  perDay: z.int().min(1).max(10_000_000).default(10_000),
  /** Allowed country calling codes, such as 254; all by default. */
  countryCodes: z
    .array(z.coerce.string().regex(/^[1-9][0-9]{0,3}$/, 'must be country calling codes, such as 254'))
    .min(1)
    .max(300)
    .optional(),
  /** A message that is not accepted is retried for this long, and then `unsent`. */
  retryForSeconds: z.int().min(10).max(80_000).default(21_600),
};
const calling = {
  ...sending,
  timeoutMs: z.int().min(100).max(60_000).default(10_000),
  /** Allows an address in a private network, also without TLS. */
  private: z.boolean().default(false),
};

/** Settings of the message provider. */
export const messagesText = settingsText(
  z.discriminatedUnion(
    'provider',
    [
      z.strictObject({ provider: z.literal('log'), ...sending }),
      z.strictObject({ provider: z.literal('webhook'), webhook: z.string().min(1), ...sending }),
      z.strictObject({
        provider: z.literal('africastalking'),
        username: z.string().min(1).max(100),
        apiKey,
        from: z.string().min(1).max(20).optional(),
        url: address.default('https://api.africastalking.com/version1/messaging'),
        /** Presented by delivery reports as `?secret=`; without it reports are refused. */
        reportsSecret: secret.optional(),
        ...calling,
      }),
      z.strictObject({
        provider: z.literal('infobip'),
        url: address,
        apiKey,
        from: z.string().min(1).max(20),
        reportsSecret: secret.optional(),
        /** Public address of this gateway; together with `reportsSecret` Infobip sends its reports to it. */
        publicUrl: address.optional(),
        /** A message that is not in the provider's log this long after an uncertain send was not accepted, and is sent again. */
        settleSeconds: z.int().min(1).max(3600).default(120),
        ...calling,
      }),
    ],
    { error: 'provider must be one of log, webhook, africastalking, infobip' },
  ),
).optional();
export type MessagesSettings = NonNullable<z.output<typeof messagesText>>;

interface Stands {
  readonly MESSAGES?: MessagesSettings | undefined;
  readonly WEBHOOKS: WebhooksSettings;
  readonly NODE_ENV: string;
}

/** In development messages are log lines by default; in other environments there are none. */
export function messagesOf({
  MESSAGES,
  NODE_ENV,
}: Pick<Stands, 'MESSAGES' | 'NODE_ENV'>): MessagesSettings | undefined {
  const sandbox = { provider: 'log', perPhonePerDay: 1000, perDay: 10_000, retryForSeconds: 21_600 } as const;
  return MESSAGES ?? (NODE_ENV === 'production' ? undefined : sandbox);
}

/** Hosts allowed at private addresses. */
export function privateHostsOf(settings: MessagesSettings): NamedHost[] {
  if (!('url' in settings) || !settings.private) return [];
  const url = new URL(settings.url);
  return [{ host: bareHost(url.hostname), port: portOf(url) }];
}

/**
 * Problems that prevent the start: a log as provider in production, a missing webhook or one without full phone
 * numbers, a forbidden address, a weak secret.
 */
export function messagesProblems({ MESSAGES: settings, WEBHOOKS, NODE_ENV }: Stands): string[] {
  const isProduction = NODE_ENV === 'production';
  if (settings === undefined) return [];
  if (settings.provider === 'log')
    return isProduction ? ['provider log brings messages to no phone: it is not for production'] : [];
  if (settings.provider === 'webhook') {
    const known = Object.hasOwn(WEBHOOKS, settings.webhook) ? WEBHOOKS[settings.webhook] : undefined;
    return known?.phone === 'full' ? [] : [`webhook ${settings.webhook} must be one of WEBHOOKS with phone: full`];
  }
  const problem = outboundRules(privateHostsOf(settings)).problemOf(new URL(settings.url));
  const { reportsSecret } = settings;
  const weakness = reportsSecret === undefined || !isProduction ? undefined : tokenWeakness(reportsSecret);
  return [
    ...(problem === undefined ? [] : [`url ${problemWords[problem]}`]),
    ...(weakness === undefined ? [] : [`reportsSecret ${weakness}, which is too weak for production`]),
  ];
}
