import { randomUUID } from 'node:crypto';
import { ServiceError } from '@mlango/service-kit/errors';
import type { EffectRunner } from '../effects/effect-runner.js';
import { queueEffect } from '../engine/texts.js';
import { scoped, tenantOf, unscoped } from '../session-scope.js';
import type { FindCaller } from '../sessions/find-caller.js';

/** Texts of the notice by language, one SMS each. */
export const linkNoticeTexts = {
  en: 'Your conversation with the oracle can now be read and continued on the web. If you did not make this link, dial in and end it.',
  fr: "Quelqu'un peut lire et continuer votre conversation avec l'oracle sur le web. Si ce n'est pas vous, appelez le service et coupez le lien.",
  sw: 'Mtu anaweza sasa kusoma na kuendeleza mazungumzo yako na oracle kwenye wavuti. Kama si wewe, piga namba ya huduma na ukatishe kiungo.',
} as const satisfies Readonly<Record<string, string>>;

/** No aggregator: no caller is shown an effect of this scope. */
const noticeScope = 'link';
/** A notice that is not stored in this time fails the link. */
const storedMs = 5000;

export interface LinkNoticeOptions {
  readonly effectRunner: Pick<EffectRunner, 'act'>;
  /** Finds the language of the caller. */
  readonly findCaller: FindCaller;
}

/**
 * Notifies a phone by SMS that a person can now read its conversation: the owner of the phone may not have made the link.
 *
 * @returns resolves once the message is stored, within the daily limits; it is sent afterwards.
 */
export function linkNotice({ effectRunner, findCaller }: LinkNoticeOptions): (phone: string) => Promise<void> {
  return async (phone) => {
    const phoneNumber = unscoped(phone);
    const service = tenantOf(phone);
    const key = `link-${randomUUID()}`;
    // A unique code, so that notices are independent.
    const subscriber = { aggregator: scoped(noticeScope, service), phoneNumber, serviceCode: key };
    const { language = 'en' } = await findCaller(subscriber);
    const text = Object.hasOwn(linkNoticeTexts, language)
      ? linkNoticeTexts[language as keyof typeof linkNoticeTexts]
      : linkNoticeTexts.en;
    const place = {
      flow: { id: 'link-notice', version: 1 },
      nonce: key,
      by: noticeScope,
      position: { state: 'linked', language, choices: {}, page: 0 },
      messages: { queued: { operation: 'linkNotice', text, facts: {} } },
    };
    const request = {
      effect: queueEffect,
      key,
      phoneNumber,
      service,
      language,
      account: undefined,
      entries: {},
      with: {},
      secret: undefined,
    };
    const { outcome } = await effectRunner.act({ subscriber, place, request }, storedMs);
    if (outcome?.result !== 'queued')
      throw new ServiceError('unavailable', 'The phone could not be notified of the link');
  };
}
