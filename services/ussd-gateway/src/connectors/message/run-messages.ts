import type { Logger } from '@mlango/service-kit/logging';
import type { Allowance } from '@mlango/service-kit/rate-limit';
import type { RunEffect } from '../../effects/effect.js';
import { messageEffect } from '../../effects/effect.js';
import type { EffectStore } from '../../effects/effect-store.js';
import { fillText, queueEffect } from '../../engine/texts.js';
import type { SendMessage } from './send-message.js';

export interface RunningOptions {
  readonly send: SendMessage;
  readonly effectStore: Pick<EffectStore, 'messagesBefore'>;
  readonly perPhonePerDay: number;
  /** Messages of all phones per day; unlimited without it. */
  readonly perDay?: Allowance;
  /** Allowed country calling codes; all without it. */
  readonly countryCodes?: readonly string[] | undefined;
  readonly logger: Logger;
  /** Called with the result of each message. */
  readonly onEnded: (result: string) => void;
}

const dayMs = 24 * 3_600_000;

/** Results that need attention. */
const alarming = ['uncertain', 'unsent', 'limited', 'unanswered'];

/** Queues messages of keys, complete once the outcome is stored, and sends messages of outcomes. */
export function runMessages({
  send,
  effectStore,
  perPhonePerDay,
  perDay,
  countryCodes,
  logger,
  onEnded,
}: RunningOptions): Readonly<Record<string, RunEffect>> {
  /** Reason why a message that was not sent yet must not be sent. */
  const obstacleOf = async (phone: string, leased: Parameters<RunEffect>[1]): Promise<string | undefined> => {
    if (countryCodes !== undefined && !countryCodes.some((code) => phone.startsWith(`+${code}`))) return 'refused';
    if ((await effectStore.messagesBefore(leased, dayMs)) >= perPhonePerDay) return 'limited';
    // A retry was counted at its first attempt.
    if (perDay === undefined || leased.tries > 1) return undefined;
    return (await perDay.take('all')).ok ? undefined : 'limited';
  };
  const message: RunEffect = async ({ key, phoneNumber }, leased) => {
    const { message: sent, position } = leased.place;
    if (sent === undefined) throw new Error('this is no message');
    const known = { ...position.entries, ...sent.facts };
    const obstacle = leased.send === undefined ? await obstacleOf(phoneNumber, leased) : undefined;
    const came =
      obstacle === undefined
        ? await send({ key, phoneNumber, text: fillText(sent.text, known, sent.operation) }, leased)
        : { result: obstacle };
    if ('pending' in came) return came;
    onEnded(came.result);
    if (alarming.includes(came.result))
      logger.error({ message: key, result: came.result }, 'message not sent, or its delivery is unknown');
    return came;
  };
  return { [queueEffect]: async () => ({ result: 'queued' }), [messageEffect]: message };
}
