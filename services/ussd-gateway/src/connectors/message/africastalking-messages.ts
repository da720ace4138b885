import { parseJson, withoutByteOrderMark } from '@mlango/service-kit/parse-json';
import { z } from 'zod';
import { callOutside, type OutsideCall } from '../call-outside.js';
import { type MessageProvider, type MessageStatus, providerWord, type SendResult } from './message-provider.js';

export interface AfricasTalkingOptions extends Pick<OutsideCall, 'dispatcher' | 'limitMs'> {
  /** Address of `version1/messaging`. */
  readonly url: string;
  readonly username: string;
  readonly apiKey: string;
  /** Short code or alphanumeric sender id registered with the provider. */
  readonly from: string | undefined;
}

const text = z.string().optional().catch(undefined);
const sent = z.object({
  SMSMessageData: z.object({
    Message: text,
    Recipients: z.array(z.object({ statusCode: z.coerce.number().catch(0), status: text, messageId: text })).max(1),
  }),
});
const report = z.object({ id: z.string().min(1).max(200), status: z.string(), failureReason: text });

/** Processed, sent, queued. */
const takenCodes: readonly number[] = [100, 101, 102];
/** Sender id, number, type of number, blacklist, route, do not disturb, rejected by the gateway. */
const refusedCodes: readonly number[] = [402, 403, 404, 406, 407, 409, 502];
const noBalance = 405;

/** Id of a message that was not accepted. */
const noId = 'None';
const couldNotSend = /^could ?not ?send$/i;

const statuses: Readonly<Record<string, MessageStatus>> = {
  Sent: 'underWay',
  Submitted: 'underWay',
  Buffered: 'underWay',
  Success: 'delivered',
  Failed: 'undelivered',
  Rejected: 'undelivered',
};

/**
 * SMS by Africa's Talking (`POST version1/messaging`). Its API takes no client reference, does not detect repeats and
 * has no status query: an uncertain delivery stays uncertain. Delivery reports go to the address in its dashboard and
 * contain its `messageId`.
 */
export function africasTalkingMessages({
  url,
  username,
  apiKey,
  from,
  ...how
}: AfricasTalkingOptions): MessageProvider {
  return {
    name: 'africastalking',
    send: async ({ phoneNumber: to, text: message }) => {
      const reply = await callOutside(url, {
        method: 'POST',
        reset: true,
        ...how,
        headers: { accept: 'application/json', apiKey, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ username, to, message, ...(from === undefined ? {} : { from }) }).toString(),
      });
      if (reply.kind === 'unusable') return { kind: reply.mayHaveArrived ? 'unknown' : 'notAccepted', why: reply.why };
      return readSent(reply.status, reply.text);
    },
    readReports: (body) => {
      const { data } = report.safeParse(Object.fromEntries(new URLSearchParams(withoutByteOrderMark(body))));
      if (data === undefined) return undefined;
      const status = Object.hasOwn(statuses, data.status) ? (statuses[data.status] ?? 'unreadable') : 'unreadable';
      return [{ reference: data.id, status, reason: providerWord(data.failureReason) }];
    },
  };
}

function readSent(status: number, text: string): SendResult {
  if (status === 400) return refused(text);
  if (status === 401 || status === 403 || status === 429) return { kind: 'notAccepted', why: `answers ${status}` };
  const data = sent.safeParse(parseJson(withoutByteOrderMark(text))).data?.SMSMessageData;
  const useless = { kind: 'unknown', why: `answers ${status}, and nothing of use` } as const;
  if (status < 200 || status > 299 || data === undefined) return useless;
  const { Message: word = '', Recipients } = data;
  const [recipient] = Recipients;
  // A message without a recipient was not sent, and `Message` has the reason, unless it counts a recipient.
  if (recipient === undefined) return word === '' || /^Sent to [1-9]/i.test(word) ? useless : refused(word);
  const { statusCode, status: reason = '', messageId = '' } = recipient;
  if (statusCode === noBalance) return { kind: 'notAccepted', why: `answers ${statusCode}` };
  if (refusedCodes.includes(statusCode) || messageId === noId || couldNotSend.test(reason)) return refused(reason);
  const isAccepted = takenCodes.includes(statusCode) && messageId !== '';
  return isAccepted ? { kind: 'accepted', reference: messageId } : { kind: 'unknown', why: `answers ${statusCode}` };
}

function refused(reason: string): SendResult {
  return { kind: 'ended', result: 'refused', reason: providerWord(reason) };
}
