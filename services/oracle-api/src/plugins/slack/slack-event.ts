import { createHmac } from 'node:crypto';
import { constantTimeEqual } from '@mlango/crypto/equality';
import { sendLimits } from '@mlango/schemas/oracle-send';
import { z } from 'zod';
import type { PluginMessage } from '../../agent/converse.js';

/** Maximum difference between the request's time and ours: an older request may be a replay. */
const windowSeconds = 300;

export interface SignedRequest {
  /** `X-Slack-Request-Timestamp`, Unix seconds. */
  readonly timestamp: unknown;
  /** `X-Slack-Signature`. */
  readonly signature: unknown;
  /** The raw bytes. */
  readonly body: Uint8Array;
}

/** Signature of version 0 of Slack's request signing: HMAC-SHA256 of `v0:<timestamp>:<body>`, in hex. */
export function slackSignature(secret: string, timestamp: string, body: Uint8Array): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`;
}

/** Whether Slack has signed this request within the last five minutes. */
export function isFromSlack(secret: string, { timestamp, signature, body }: SignedRequest, now: Date): boolean {
  if (typeof timestamp !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > windowSeconds) return false;
  return constantTimeEqual(signature, slackSignature(secret, timestamp, body));
}

const slackId = z.string().regex(/^[A-Z0-9]{1,32}$/);
const moment = z.string().regex(/^\d{1,20}\.\d{1,20}$/);

const challenge = z.object({ type: z.literal('url_verification'), challenge: z.string().max(1_000) });

const message = z.object({
  type: z.literal('event_callback'),
  team_id: slackId,
  event_id: z.string().regex(/^[A-Za-z0-9]{1,64}$/),
  event: z.object({
    type: z.enum(['app_mention', 'message']),
    user: slackId,
    text: z.string(),
    channel: slackId,
    channel_type: z.string().optional(),
    ts: moment,
    thread_ts: moment.optional(),
    bot_id: z.undefined().optional(),
    bot_profile: z.undefined().optional(),
    subtype: z.undefined().optional(),
  }),
});

/** A message to the oracle, and the thread of its answer. */
export interface SlackMessage {
  readonly eventId: string;
  readonly request: PluginMessage;
  readonly channel: string;
  readonly thread: string;
}

export type SlackEvent =
  | { readonly kind: 'challenge'; readonly challenge: string }
  | { readonly kind: 'message'; readonly message: SlackMessage }
  | { readonly kind: 'other' };

/** Reads an event of Slack. Messages of bots, changes of messages, and messages not addressed to the oracle are `other`. */
export function readSlackEvent(json: unknown): SlackEvent {
  const verification = challenge.safeParse(json);
  if (verification.success) return { kind: 'challenge', challenge: verification.data.challenge };
  const parsed = message.safeParse(json);
  if (!parsed.success) return { kind: 'other' };
  const { team_id: team, event_id: eventId, event } = parsed.data;
  // In a channel only a mention is for the oracle; Slack also sends the same text as a plain message.
  if (event.type === 'message' && event.channel_type !== 'im') return { kind: 'other' };
  const text = plainText(event.text);
  if (text === '') return { kind: 'other' };
  const thread = event.thread_ts ?? event.ts;
  const request = {
    ownerDid: slackUserDid(team, event.user),
    // A session has one owner, so each user has a separate one in a thread.
    conversation: [team, event.channel, thread, event.user].join('/'),
    requestId: eventId,
    text,
  };
  return { kind: 'message', message: { eventId, request, channel: event.channel, thread } };
}

/**
 * The DID of a Slack user: readable and permanent, with a method without keys. No token can represent it, so its data are reachable
 * only through Slack.
 */
function slackUserDid(team: string, user: string): string {
  return `did:slack:${team}:${user}`;
}

/** Removes the leading mention and the escapes of Slack's markup; cuts the text to the maximum of a message. */
function plainText(markup: string): string {
  const text = markup.replace(/^\s*<@[A-Z0-9]+(\|[^>]*)?>/, '').trim();
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return plain.slice(0, sendLimits.messageChars);
}
