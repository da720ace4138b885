import { flushLogger, type Logger, maskMsisdn } from '@mlango/service-kit/logging';
import { countSegments } from '../../engine/gsm7.js';
import type { EffectOutcome } from '../../engine/position.js';
import { printable } from '../run-query.js';

/** A message to one subscriber, in the words of their language. */
export interface Message {
  /** The same at every try. */
  readonly key: string;
  /** E.164. */
  readonly phoneNumber: string;
  readonly text: string;
}

/** What can become of a message in the end. */
export const messageResults = [
  // It is on the phone; it will not come there; the provider does not want it.
  ...(['delivered', 'undelivered', 'refused'] as const),
  // The provider has it, and says no more; nobody knows whether it has; it never took it in time.
  ...(['sent', 'uncertain', 'unsent'] as const),
  // The phone has had as many today as it may.
  'limited',
] as const;
export type MessageResult = (typeof messageResults)[number];

/** What came of handing one over. `away` is what surely was not taken, and may be handed over again; `unknown` is what may have been. */
export type HandedOver =
  | { readonly kind: 'taken'; readonly reference: string }
  /** `reason` is the provider's own word for a refusal. */
  | { readonly kind: 'ended'; readonly result: MessageResult; readonly reason?: string | undefined }
  | { readonly kind: 'away' | 'unknown'; readonly why: string };

/** What a provider says of a message that it was asked after. `silent` is whatever cannot be used. */
export type Fate = MessageResult | 'underWay' | 'notThere' | 'silent';

/** A part of a delivery report: which message, and what became of it. */
export interface Report {
  /** The name that the provider gave it. */
  readonly reference: string;
  readonly fate: Fate;
  /** The provider's own word for it, where it gives one. */
  readonly reason?: string | undefined;
}

/** The provider's own word as a line for the log and the operator: short, and without phone numbers. */
export function providerWord(word: string | null | undefined): string | undefined {
  return printable(word ?? '', 60).replaceAll(/[0-9]{6,}/g, '…') || undefined;
}

/** The outcome of a message, with the provider's own word. */
export function messageOutcome(result: MessageResult, reason: string | undefined): EffectOutcome {
  return reason === undefined ? { result } : { result, facts: { reason } };
}

/** Whoever brings messages to phones and cannot tell a repeat by its key. Never rejects. */
export interface MessageProvider {
  /** For logs and counts. */
  readonly name: string;
  send(message: Message): Promise<HandedOver>;
  /** Asks what became of one by the name it was given, or would have been: absent where the provider's API has no such thing. */
  poll?(reference: string): Promise<Fate>;
  /** The name that a message gets, where this service gives it. */
  referenceOf?(key: string): string;
  /** Reads what it reports by itself; undefined for what is no report. Absent where it reports nothing. */
  readReports?(body: string): readonly Report[] | undefined;
}

/** The sandbox: messages are lines of the log, the only ones that hold their words. */
export function logMessages(logger: Logger): MessageProvider {
  return {
    name: 'log',
    send: async ({ key, phoneNumber, text }) => {
      // Not as `text`, which no log of this service shows.
      logger.info(
        { to: maskMsisdn(phoneNumber), words: text, segments: countSegments(text), message: key },
        'a message',
      );
      await flushLogger(logger);
      return { kind: 'ended', result: 'sent' };
    },
  };
}
