import { constantTimeEqual } from '@mlango/crypto/equality';
import { ServiceError } from '@mlango/service-kit/errors';
import type { Logger } from '@mlango/service-kit/logging';
import { changes } from '../../effects/effect-states.js';
import type { EffectStore } from '../../effects/effect-store.js';
import { type MessageProvider, messageOutcome, type Report } from './message-provider.js';
import { isFinal } from './send-message.js';

export interface Reports {
  readonly provider: MessageProvider;
  /** Secret that the provider has to present. */
  readonly secret: string;
  readonly effectStore: Pick<EffectStore, 'find' | 'findByReference' | 'settle'>;
  readonly logger: Logger;
  /** Called with the result of each message that ends here. */
  readonly onEnded: (result: string) => void;
}

/**
 * Accepts delivery reports of a provider. A status that is not final, a repeated one, and one after the final result
 * change nothing.
 *
 * @param shown secret presented by the client.
 * @throws {ServiceError} `unauthenticated`; `invalid_argument` for an invalid report; `not_found` if no message of it
 * is known: it may be too early and can be sent again; errors of the store.
 */
export async function takeReports(body: string, shown: string, on: Reports): Promise<void> {
  if (!constantTimeEqual(shown, on.secret)) throw new ServiceError('unauthenticated', 'The secret is not right');
  const reports = on.provider.readReports?.(body);
  if (reports === undefined) throw new ServiceError('invalid_argument', 'The body is no delivery report');
  const known: boolean[] = [];
  for (const report of reports) known.push(await applyReport(report, on));
  if (known.length > 0 && !known.includes(true)) throw new ServiceError('not_found', 'There is no such message');
}

async function applyReport(
  { reference, status, reason }: Report,
  { provider, effectStore, logger, onEnded }: Reports,
): Promise<boolean> {
  const found = await (provider.referenceOf === undefined
    ? effectStore.findByReference(reference)
    : effectStore.find(reference));
  if (found?.place.message === undefined) return false;
  const { key: message, state, outcome } = found;
  if (status === 'unreadable') logger.warn({ provider: provider.name, message }, 'delivery report unusable');
  if (!isFinal(status)) return true;
  if (changes(state, 'reported')) {
    const stored = await effectStore.settle(message, messageOutcome(status, reason), 'reported');
    if (stored.result === status) onEnded(status);
    if (status !== 'delivered')
      logger.warn({ provider: provider.name, message, result: status, reason }, 'a message was not delivered');
  } else if (outcome?.result !== status) {
    logger.warn(
      { provider: provider.name, message, stored: outcome?.result, reported: status },
      'late delivery report differs from the stored result, which stays',
    );
  }
  return true;
}
