import type { Logger } from '@mlango/service-kit/logging';
import type { Effect } from '../../effects/effect.js';
import { type IntentStore, messageEffect } from '../../effects/intent-store.js';
import { queueEffect } from '../../engine/messages-of.js';
import { fillText } from '../../engine/texts.js';
import type { SendMessage } from './send-message.js';

export interface RunningOptions {
  readonly send: SendMessage;
  readonly intents: Pick<IntentStore, 'messagesBefore'>;
  readonly perPhonePerDay: number;
  readonly logger: Logger;
  /** Is told what became of each. */
  readonly onEnded: (result: string) => void;
}

const dayMs = 24 * 3_600_000;

/** What somebody should look at. */
const alarming = ['uncertain', 'unsent', 'limited', 'unanswered'];

/** Has messages queued, which is done as soon as the outcome stands, and sends those that outcomes bring about. */
export function runMessages({
  send,
  intents,
  perPhonePerDay,
  logger,
  onEnded,
}: RunningOptions): Readonly<Record<string, Effect>> {
  const message: Effect = async ({ key, phoneNumber }, leased) => {
    const { message: sent, position } = leased.place;
    if (sent === undefined) throw new Error('this is no message');
    const known = { ...position.entries, ...sent.facts };
    const isOneTooMany = leased.handed === undefined && (await intents.messagesBefore(leased, dayMs)) >= perPhonePerDay;
    const came = isOneTooMany
      ? { result: 'limited' }
      : await send({ key, phoneNumber, text: fillText(sent.text, known, sent.operation) }, leased);
    if ('pending' in came) return came;
    onEnded(came.result);
    if (alarming.includes(came.result))
      logger.error({ message: key, result: came.result }, 'a message may not have come to its phone');
    return came;
  };
  return { [queueEffect]: async () => ({ result: 'queued' }), [messageEffect]: message };
}
