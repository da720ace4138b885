import { createHmac } from 'node:crypto';
import { constantTimeEqual } from '@mlango/crypto/equality';
import { sendLimits } from '@mlango/schemas/oracle-send';
import { z } from 'zod';
import type { PluginMessage } from '../../agent/converse.js';

/** How far the time of a request may be from ours: beyond that it may be an old one, sent again. */
const windowSeconds = 300;

export interface SignedRequest {
  /** `X-Slack-Request-Timestamp`, Unix seconds. */
  readonly timestamp: unknown;
  /** `X-Slack-Signature`. */
  readonly signature: unknown;
  /** As it came, byte for byte. */
  readonly body: Uint8Array;
}

/** Signature of version 0 of Slack's request signing: HMAC-SHA256 of `v0:<timestamp>:<body>`, in hex. */
export function slackSignature(secret: string, timestamp: string, body: Uint8Array): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`;
}

/** Whether Slack has signed this request, and did so within the last five minutes. */
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

/** Something said to the oracle, and where to answer. */
export interface SlackMessage {
  readonly eventId: string;
  readonly said: PluginMessage;
  readonly channel: string;
  readonly thread: string;
}

export type SlackEvent =
  | { readonly kind: 'challenge'; readonly challenge: string }
  | { readonly kind: 'message'; readonly message: SlackMessage }
  | { readonly kind: 'other' };

/** Reads an event of Slack. What bots say, changes of messages, and what is not said to the oracle are `other`. */
export function readSlackEvent(json: unknown): SlackEvent {
  const asked = challenge.safeParse(json);
  if (asked.success) return { kind: 'challenge', challenge: asked.data.challenge };
  const parsed = message.safeParse(json);
  if (!parsed.success) return { kind: 'other' };
  const { team_id: team, event_id: eventId, event } = parsed.data;
  // In a channel only a mention is for the oracle; the same text comes as a plain message too.
  if (event.type === 'message' && event.channel_type !== 'im') return { kind: 'other' };
  const text = plainText(event.text);
  if (text === '') return { kind: 'other' };
  const thread = event.thread_ts ?? event.ts;
  const said = {
    ownerDid: slackUserDid(team, event.user),
    // A session has one owner, so each user has one of their own in a thread.
    conversation: [team, event.channel, thread, event.user].join('/'),
    requestId: eventId,
    text,
  };
  return { kind: 'message', message: { eventId, said, channel: event.channel, thread } };
}

/**
 * The DID of a Slack user: readable, the same for good, and of a method without keys, so that no token can speak for it and
 * what is theirs is reached through Slack alone.
 */
function slackUserDid(team: string, user: string): string {
  return `did:slack:${team}:${user}`;
}

/** Without the mention it begins with, and without the escapes of Slack's markup; cut to what a message may have. */
function plainText(markup: string): string {
  const text = markup.replace(/^\s*<@[A-Z0-9]+(\|[^>]*)?>/, '').trim();
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return plain.slice(0, sendLimits.messageChars);
}
