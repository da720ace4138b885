import { randomUUID } from 'node:crypto';
import { ServiceError } from '@mlango/service-kit/errors';
import type { EffectRunner } from '../effects/effect-runner.js';
import { queueEffect } from '../engine/texts.js';
import type { FindCaller } from '../sessions/find-caller.js';
import { scoped, tenantOf, unscoped } from '../sessions/session-scope.js';

/** Texts of the notice by language, one SMS each. */
export const linkNoticeTexts = {
  en: 'Somebody can now read and continue your conversation with the oracle on the web. If that is not you, dial in and end the link.',
  fr: "Quelqu'un peut lire et continuer votre conversation avec l'oracle sur le web. Si ce n'est pas vous, appelez le service et coupez le lien.",
  sw: 'Mtu anaweza sasa kusoma na kuendeleza mazungumzo yako na oracle kwenye wavuti. Kama si wewe, piga namba ya huduma na ukatishe kiungo.',
} as const satisfies Readonly<Record<string, string>>;

/** No aggregator: an intent of this line is reported to no caller. */
const noticeLine = 'link';
/** A notice that is not stored in this time fails the link. */
const storedMs = 5000;

export interface LinkNoticeOptions {
  readonly acts: Pick<EffectRunner, 'act'>;
  /** Knows the language that a caller chose. */
  readonly findCaller: FindCaller;
}

/**
 * Sends a message to a phone whose conversation somebody can now read: a link is made on the web, where the owner of the phone may not
 * be the one who made it.
 *
 * @returns resolves once the message is stored, within the limits of messages per day; it is sent afterwards.
 */
export function linkNotice({ acts, findCaller }: LinkNoticeOptions): (phone: string) => Promise<void> {
  return async (phone) => {
    const phoneNumber = unscoped(phone);
    const service = tenantOf(phone);
    const key = `link-${randomUUID()}`;
    // A code of its own, so that one notice never stands for another.
    const subscriber = { aggregator: scoped(noticeLine, service), phoneNumber, serviceCode: key };
    const { language = 'en' } = await findCaller(subscriber);
    const text = Object.hasOwn(linkNoticeTexts, language)
      ? linkNoticeTexts[language as keyof typeof linkNoticeTexts]
      : linkNoticeTexts.en;
    const place = {
      ...{ flow: { id: 'link-notice', version: 1 }, nonce: key, by: noticeLine },
      position: { state: 'linked', language, choices: {}, page: 0 },
      messages: { queued: { operation: 'linkNotice', text, facts: {} } },
    };
    const request = {
      ...{ effect: queueEffect, key, phoneNumber, service, language, account: undefined },
      ...{ entries: {}, with: {}, secret: undefined },
    };
    const { outcome } = await acts.act({ subscriber, place, request }, storedMs);
    if (outcome?.result !== 'queued') throw new ServiceError('unavailable', 'The phone could not be told of the link');
  };
}
