import { parseJson, withoutByteOrderMark } from '@mlango/service-kit/parse-json';
import { z } from 'zod';
import { callOutside, type OutsideCall } from '../call-outside.js';
import { type MessageProvider, type MessageStatus, providerWord, type SendResult } from './message-provider.js';

export interface InfobipOptions extends Pick<OutsideCall, 'dispatcher' | 'limitMs'> {
  /** Base URL of the account. */
  readonly url: string;
  readonly apiKey: string;
  readonly from: string;
  /** Address for delivery reports, including its secret. */
  readonly reportsUrl: string | undefined;
}

const message = z.object({
  messageId: z.string().max(200),
  status: z.object({ groupId: z.int(), name: z.string().optional().catch(undefined) }),
});
const sent = z.object({ messages: z.array(message).length(1) });
const results = z.object({ results: z.array(message).max(1000) });

/** Status groups, by `groupId`: pending, undeliverable, delivered, expired, rejected. */
const statuses: Readonly<Record<number, MessageStatus>> = {
  0: 'underWay',
  1: 'underWay',
  2: 'undelivered',
  3: 'delivered',
  4: 'undelivered',
  5: 'refused',
};

/**
 * SMS by Infobip (`POST /sms/3/messages`). Its API does not detect repeats, but takes a client `messageId` and answers
 * status queries for 48 hours (`GET /sms/3/logs?messageId=`); each message carries the address for its reports.
 */
export function infobipMessages({ url, apiKey, from, reportsUrl, ...how }: InfobipOptions): MessageProvider {
  const headers = { accept: 'application/json', authorization: `App ${apiKey}` };
  return {
    name: 'infobip',
    referenceOf: (key) => key,
    send: async ({ key: messageId, phoneNumber, text }) => {
      const destinations = [{ to: phoneNumber.slice('+'.length), messageId }];
      const webhooks = reportsUrl === undefined ? {} : { webhooks: { delivery: { url: reportsUrl } } };
      const body = { messages: [{ sender: from, destinations, content: { text }, ...webhooks }] };
      const reply = await callOutside(`${url}/sms/3/messages`, {
        method: 'POST',
        reset: true,
        ...how,
        body: JSON.stringify(body),
        headers: { ...headers, 'content-type': 'application/json' },
      });
      if (reply.kind === 'unusable') return { kind: reply.mayHaveArrived ? 'unknown' : 'notAccepted', why: reply.why };
      return readSent(reply.status, reply.text);
    },
    poll: async (reference) => {
      const query = new URLSearchParams({ messageId: reference }).toString();
      const reply = await callOutside(`${url}/sms/3/logs?${query}`, { method: 'GET', headers, ...how });
      if (reply.kind === 'unusable' || reply.status !== 200) return 'unreadable';
      const found = results.safeParse(parseJson(withoutByteOrderMark(reply.text))).data?.results;
      if (found === undefined) return 'unreadable';
      const own = found.find(({ messageId }) => messageId === reference);
      return own === undefined ? 'notFound' : statusOf(own);
    },
    readReports: (body) =>
      results.safeParse(parseJson(withoutByteOrderMark(body))).data?.results.map((one) => ({
        reference: one.messageId,
        status: statusOf(one),
        reason: providerWord(one.status.name),
      })),
  };
}

function statusOf({ status: { groupId } }: z.infer<typeof message>): MessageStatus {
  return statuses[groupId] ?? 'unreadable';
}

function readSent(status: number, text: string): SendResult {
  if (status === 400) return { kind: 'ended', result: 'refused' };
  if (status === 401 || status === 403 || status === 429) return { kind: 'notAccepted', why: `answers ${status}` };
  const [own] = sent.safeParse(parseJson(withoutByteOrderMark(text))).data?.messages ?? [];
  if (status < 200 || status > 299 || own === undefined)
    return { kind: 'unknown', why: `answers ${status}, and nothing of use` };
  const result = statusOf(own);
  return result === 'refused' || result === 'undelivered'
    ? { kind: 'ended', result, reason: providerWord(own.status.name) }
    : { kind: 'accepted', reference: own.messageId };
}
