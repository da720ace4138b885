import { flushLogger, type Logger, maskMsisdn } from '@mlango/service-kit/logging';
import { countSegments } from '../../engine/pages/message-limits.js';
import type { EffectOutcome } from '../../engine/position.js';
import { printable } from '../run-query.js';

/** A message to one subscriber, in the subscriber's language. */
export interface Message {
  /** The same at every attempt. */
  readonly key: string;
  /** E.164. */
  readonly phoneNumber: string;
  readonly text: string;
}

/** Final results of a message. */
export const messageResults = [
  // Delivered to the phone; cannot be delivered; refused by the provider.
  ...(['delivered', 'undelivered', 'refused'] as const),
  // Accepted without a delivery report; acceptance is uncertain; not accepted in time.
  ...(['sent', 'uncertain', 'unsent'] as const),
  // The daily limit of the phone, or of all phones, is reached.
  'limited',
] as const;
export type MessageResult = (typeof messageResults)[number];

/** Result of a send. `notAccepted`: certainly not accepted, may be sent again; `unknown`: possibly accepted. */
export type SendResult =
  | { readonly kind: 'accepted'; readonly reference: string }
  /** `reason` is the refusal text of the provider. */
  | { readonly kind: 'ended'; readonly result: MessageResult; readonly reason?: string | undefined }
  | { readonly kind: 'notAccepted' | 'unknown'; readonly why: string };

/** Status of a message at the provider. `unreadable` is an unusable answer. */
export type MessageStatus = MessageResult | 'underWay' | 'notFound' | 'unreadable';

/** An entry of a delivery report: a message and its status. */
export interface Report {
  /** Reference of the provider. */
  readonly reference: string;
  readonly status: MessageStatus;
  /** Status text of the provider, if any. */
  readonly reason?: string | undefined;
}

/** Status text of the provider as a line for the log and the operator: short, and without phone numbers. */
export function providerWord(word: string | null | undefined): string | undefined {
  return printable(word ?? '', 60).replaceAll(/[0-9]{6,}/g, '…') || undefined;
}

/** Outcome of a message, with the status text of the provider. */
export function messageOutcome(result: MessageResult, reason: string | undefined): EffectOutcome {
  return reason === undefined ? { result } : { result, facts: { reason } };
}

/** Sends messages to phones, without detecting a repeat by its key. Never rejects. */
export interface MessageProvider {
  /** Name in logs and metrics. */
  readonly name: string;
  send(message: Message): Promise<SendResult>;
  /** Queries the status of a message by its reference; absent if the provider's API has no such query. */
  poll?(reference: string): Promise<MessageStatus>;
  /** Reference of a message, if this service assigns it. */
  referenceOf?(key: string): string;
  /** Parses delivery reports; undefined for an invalid body. Absent if the provider sends none. */
  readReports?(body: string): readonly Report[] | undefined;
}

/** The sandbox: messages are log lines, the only ones with message texts. */
export function logMessages(logger: Logger): MessageProvider {
  return {
    name: 'log',
    send: async ({ key, phoneNumber, text }) => {
      // Not as `text`, a field that every log of this service omits.
      logger.info(
        { to: maskMsisdn(phoneNumber), words: text, segments: countSegments(text), message: key },
        'message logged, not sent to a phone',
      );
      await flushLogger(logger);
      return { kind: 'ended', result: 'sent' };
    },
  };
}
