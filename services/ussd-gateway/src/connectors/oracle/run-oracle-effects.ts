import { ServiceError } from '@mlango/service-kit/errors';
import type { Allowance } from '@mlango/service-kit/rate-limit';
import type { Pending, RunEffect } from '../../effects/effect.js';
import type { EffectOutcome } from '../../engine/position.js';
import type { PhoneIdentities } from '../../phone-identity/phone-identities.js';
import type { DelegationKind } from '../../phone-identity/schema.js';
import type { PhoneIdentity, PhoneIdentityStore } from '../../phone-identity/sql-phone-identity-store.js';
import type { PhoneLinkStore } from '../../phone-identity/sql-phone-link-store.js';
import { scoped } from '../../session-scope.js';
import { type HttpOracle, OracleUnavailable, type WebhookResponse } from './http-oracle.js';
import type { oracleActs } from './oracle-operations.js';
import { answerChars, phoneText } from './phone-text.js';

export interface OracleParts {
  readonly oracle: Pick<HttpOracle, 'openSession' | 'sendQuestion' | 'revoke'>;
  readonly identities: PhoneIdentities;
  readonly store: PhoneIdentityStore;
  readonly links: Pick<PhoneLinkStore, 'linkOf' | 'unlink' | 'delegationsOf' | 'removeDelegation'>;
  /** Questions per phone and day. */
  readonly questionsPerDay: number;
  /**
   * Questions of all new phones together. All phones share the address of this gateway at the oracle: a caller with
   * invented phone numbers uses up this share only, not the limits of the address.
   */
  readonly newPhones: Allowance;
  /** Called with the result of each question. */
  readonly onQuestionEnded: (result: string) => void;
}

type OracleEffects = Readonly<Record<keyof typeof oracleActs, RunEffect>>;

/** A question is polled for this long; then it stays unanswered. */
const patienceMs = 600_000;
const pollAgainMs = 3000;

/** Runs the oracle acts of phones. */
export function runOracleEffects(parts: OracleParts): OracleEffects {
  return {
    askOracle: async (request, { key, tries, ageMs }) => {
      const question = request.entries['question'];
      if (question === undefined) throw new Error('there is no question');
      const { language } = request;
      const phone = scoped(request.phoneNumber, request.service);
      const identity = await parts.identities.of(phone);
      if (!(await parts.store.countQuestion(phone, key, parts.questionsPerDay))) return ended('limited', parts);
      // A retry was counted at its first attempt.
      if (tries === 1 && (await parts.store.isNew(phone)) && !(await parts.newPhones.take('all')).ok)
        return ended('limited', parts);
      const sent = { requestId: key, message: question, instructions: instructionsFor(language) };
      try {
        const response = await sendQuestion(identity, sent, parts);
        return outcomeOf(response, ageMs, parts);
      } catch (error) {
        if (error instanceof OracleUnavailable && tries === 1) return ended('unanswered', parts);
        if (ageMs > patienceMs) return ended('unanswered', parts);
        throw error;
      }
    },
    unlinkPhone: async ({ phoneNumber, service }, { tries }) => {
      const identity = await parts.store.find(scoped(phoneNumber, service));
      const wasLinked = identity !== undefined && (await revokeDelegations(identity, parts));
      // An earlier try may have revoked everything before it was interrupted.
      return { result: wasLinked || tries > 1 ? 'unlinked' : 'notLinked' };
    },
  };
}

interface Revoking extends Pick<OracleParts, 'identities'> {
  readonly oracle: Pick<HttpOracle, 'revoke'>;
  readonly links: Pick<PhoneLinkStore, 'linkOf' | 'unlink' | 'delegationsOf' | 'removeDelegation'>;
}

/**
 * Ends the links of phones that were not used for a long time.
 *
 * @returns the number of phones.
 */
export async function endUnusedLinks(
  parts: Revoking & {
    readonly store: Pick<PhoneIdentityStore, 'find'>;
    readonly links: Pick<PhoneLinkStore, 'phonesWithUnusedLinks'>;
  },
  limit: number,
): Promise<number> {
  const phones = await parts.links.phonesWithUnusedLinks(limit);
  const failures: unknown[] = [];
  for (const phone of phones) {
    try {
      const identity = await parts.store.find(phone);
      if (identity !== undefined) await revokeDelegations(identity, parts);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return phones.length;
}

/**
 * Revokes every link and every replaced grant of a phone. A failed revocation does not stop the others, and all can be
 * repeated.
 *
 * @returns whether there was a link.
 */
async function revokeDelegations(identity: PhoneIdentity, { identities, oracle, links }: Revoking): Promise<boolean> {
  const { phone } = identity;
  const revoke = async (sealed: string, kind: DelegationKind) =>
    oracle.revoke(await identities.toAct(identity), await identities.toUnlink(identity, sealed, kind));
  // The delegations are read first: a link created in between is revoked below.
  const delegations = await links.delegationsOf(phone);
  const link = await links.linkOf(phone);
  const failures: unknown[] = [];
  const failed = new Set<string>();
  for (const { id, kind, sealedToken } of delegations) {
    try {
      await revoke(sealedToken, kind);
      await links.removeDelegation(id);
    } catch (error) {
      failures.push(error);
      failed.add(sealedToken);
    }
  }
  if (link !== undefined && !failed.has(link.sealedLink)) {
    const isRecorded = delegations.some(({ sealedToken }) => sealedToken === link.sealedLink);
    if (!isRecorded) await revoke(link.sealedLink, 'link');
    await links.unlink(phone, link.sealedLink);
  }
  if (failures.length > 0) throw failures[0];
  return link !== undefined || delegations.some(({ kind }) => kind === 'link');
}

async function sendQuestion(
  identity: PhoneIdentity,
  sent: { requestId: string; message: string; instructions: string },
  parts: OracleParts,
): Promise<WebhookResponse> {
  const token = await parts.identities.toConverse(identity);
  const sessionId = identity.sessionId ?? (await openSession(identity, parts));
  const response = await parts.oracle.sendQuestion(token, { ...sent, sessionId });
  if (response.kind !== 'no_session') return response;
  // The conversation was deleted at the oracle, with all its questions.
  const fresh = await openSession({ ...identity, sessionId }, parts);
  return parts.oracle.sendQuestion(token, { ...sent, sessionId: fresh });
}

async function openSession(identity: PhoneIdentity, { oracle, identities, store }: OracleParts): Promise<string> {
  const sessionId = await oracle.openSession(await identities.toAct(identity));
  return store.setSession(identity.phone, identity.sessionId, sessionId);
}

function outcomeOf(response: WebhookResponse, ageMs: number, parts: OracleParts): EffectOutcome | Pending {
  switch (response.kind) {
    case 'answered':
      parts.onQuestionEnded('answered');
      return { result: 'answered', facts: { answer: phoneText(response.text) || '-' } };
    case 'pending':
      return ageMs > patienceMs ? ended('unanswered', parts) : { pending: true, retryInMs: pollAgainMs };
    case 'refused':
      // Rate limited: retry later.
      if (response.status === 429 && ageMs < patienceMs) return { pending: true, retryInMs: 5 * pollAgainMs };
      return ended('refused', parts);
    case 'failed':
      return ended('unanswered', parts);
    case 'no_session':
      throw new ServiceError('unavailable', 'The conversation cannot be found');
  }
}

function ended(result: 'limited' | 'refused' | 'unanswered', { onQuestionEnded }: OracleParts): EffectOutcome {
  onQuestionEnded(result);
  return { result };
}

const names = new Intl.DisplayNames(['en'], { type: 'language' });

/** Instructions for answers to a phone. They contain nothing about the subscriber. */
function instructionsFor(language: string): string {
  return (
    `Answer in ${names.of(language) ?? language}, whatever language the question is in. The answer is read on a simple phone over USSD: ` +
    `one paragraph of plain text of at most ${answerChars} characters, without Markdown, lists or links.`
  );
}
