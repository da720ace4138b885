import { bareHost, type NamedHost, portOf } from '@mlango/outbound/named-hosts';
import { outboundRules } from '@mlango/outbound/outbound-rules';
import { tokenWeakness } from '@mlango/service-kit/secrets';
import { z } from 'zod';
import { settingsText } from '../settings-text.js';
import { problemWords, type WebhooksSettings } from '../webhook/webhook-settings.js';

/** Where delivery reports are taken. */
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
  /** Messages of one phone in 24 hours. */
  perPhonePerDay: z.int().min(1).max(10_000).default(20),
  /** Messages of all phones in a day. */
  perDay: z.int().min(1).max(10_000_000).default(10_000),
  /** The country calling codes that phones may have, such as 254; any without it. */
  countryCodes: z
    .array(z.coerce.string().regex(/^[1-9][0-9]{0,3}$/, 'must be country calling codes, such as 254'))
    .min(1)
    .max(300)
    .optional(),
  /** What nobody takes is tried for so long, and then `unsent`. */
  retryForSeconds: z.int().min(10).max(80_000).default(21_600),
};
const calling = {
  ...sending,
  timeoutMs: z.int().min(100).max(60_000).default(10_000),
  /** May be at an address of a network of one's own, and then without TLS. */
  private: z.boolean().default(false),
};

/** Who brings messages to phones. */
export const messagesText = settingsText(
  z.discriminatedUnion(
    'provider',
    [
      z.strictObject({ provider: z.literal('log'), ...sending }),
      z.strictObject({ provider: z.literal('webhook'), webhook: z.string().min(1), ...sending }),
      z.strictObject({
        ...{ provider: z.literal('africastalking'), username: z.string().min(1).max(100), apiKey },
        from: z.string().min(1).max(20).optional(),
        url: address.default('https://api.africastalking.com/version1/messaging'),
        /** What its delivery reports show as `?secret=`; without it none are taken. */
        reportsSecret: secret.optional(),
        ...calling,
      }),
      z.strictObject({
        ...{ provider: z.literal('infobip'), url: address, apiKey, from: z.string().min(1).max(20) },
        reportsSecret: secret.optional(),
        /** The address of this gateway, as Infobip reaches it; with `reportsSecret` it is told to report there. */
        publicUrl: address.optional(),
        /** A message that its log does not know so long after it may have been taken was not, and is sent again. */
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

/** In development messages are lines of the log unless said otherwise; elsewhere there are none. */
export function messagesOf({
  MESSAGES,
  NODE_ENV,
}: Pick<Stands, 'MESSAGES' | 'NODE_ENV'>): MessagesSettings | undefined {
  const sandbox = { provider: 'log', perPhonePerDay: 1000, perDay: 10_000, retryForSeconds: 21_600 } as const;
  return MESSAGES ?? (NODE_ENV === 'production' ? undefined : sandbox);
}

/** Hosts that may be at private addresses. */
export function privateHostsOf(settings: MessagesSettings): NamedHost[] {
  if (!('url' in settings) || !settings.private) return [];
  const url = new URL(settings.url);
  return [{ host: bareHost(url.hostname), port: portOf(url) }];
}

/** What must not start: a log in the place of phones; a webhook that is not there or not told whose message it is; an address that is not to be called; a secret that can be guessed. */
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
