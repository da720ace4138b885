import { z } from 'zod';
import { callOutside, type OutsideCall } from '../call-outside.js';
import { jsonIn } from '../json-in.js';
import type { Fate, HandedOver, MessageProvider } from './message-provider.js';

export interface AfricasTalkingOptions extends Pick<OutsideCall, 'dispatcher' | 'limitMs'> {
  /** The address of `version1/messaging`. */
  readonly url: string;
  readonly username: string;
  readonly apiKey: string;
  /** The short code or alphanumeric that is registered there. */
  readonly from: string | undefined;
}

const sent = z.object({
  SMSMessageData: z.object({
    Recipients: z.array(z.object({ statusCode: z.coerce.number(), messageId: z.string() })).length(1),
  }),
});
const report = z.object({ id: z.string().min(1).max(200), status: z.string() });

/** Processed, sent, queued. */
const takenCodes: readonly number[] = [100, 101, 102];
/** Sender id, number, kind of number, blacklist, route, do not disturb, rejected by the gateway. */
const refusedCodes: readonly number[] = [402, 403, 404, 406, 407, 409, 502];
const noBalance = 405;

const fates: Readonly<Record<string, Fate>> = {
  ...{ Sent: 'underWay', Submitted: 'underWay', Buffered: 'underWay' },
  ...{ Success: 'delivered', Failed: 'undelivered', Rejected: 'undelivered' },
};

/**
 * SMS by Africa's Talking (`POST version1/messaging`). Its API takes no reference of ours, knows no repeat and can be asked after nothing: what
 * may have arrived there stays unknown. Delivery reports go to the address in its dashboard and have the `messageId` that it gave.
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
        ...{ method: 'POST', reset: true, ...how },
        headers: { accept: 'application/json', apiKey, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ username, to, message, ...(from === undefined ? {} : { from }) }).toString(),
      });
      if (reply.kind === 'nothing') return { kind: reply.mayHaveArrived ? 'unknown' : 'away', why: reply.why };
      return readSent(reply.status, reply.text);
    },
    readReports: (body) => {
      const { data } = report.safeParse(Object.fromEntries(new URLSearchParams(body)));
      return (
        data && [
          { reference: data.id, fate: Object.hasOwn(fates, data.status) ? (fates[data.status] ?? 'silent') : 'silent' },
        ]
      );
    },
  };
}

function readSent(status: number, text: string): HandedOver {
  if (status === 400) return { kind: 'ended', result: 'refused' };
  if (status === 401 || status === 403 || status === 429) return { kind: 'away', why: `answers ${status}` };
  const [recipient] = sent.safeParse(jsonIn(text)).data?.SMSMessageData.Recipients ?? [];
  if (status < 200 || status > 299 || recipient === undefined)
    return { kind: 'unknown', why: `answers ${status}, and nothing of use` };
  const { statusCode, messageId } = recipient;
  if (takenCodes.includes(statusCode)) return { kind: 'taken', reference: messageId };
  if (refusedCodes.includes(statusCode)) return { kind: 'ended', result: 'refused' };
  return { kind: statusCode === noBalance ? 'away' : 'unknown', why: `says ${statusCode}` };
}
