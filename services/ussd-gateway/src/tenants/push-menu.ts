import type { SingleFlight } from '@mlango/async/single-flight';
import { sha256Hex } from '@mlango/crypto/hashing';
import { ServiceError } from '@mlango/service-kit/errors';
import type { RateLimitStore } from '@mlango/service-kit/rate-limit';
import type { RunEffect } from '../effects/effect.js';
import { pushEffect } from '../effects/effect.js';
import type { EffectRunner } from '../effects/effect-runner.js';
import { enter } from '../engine/apply-input.js';
import { alwaysKnown } from '../engine/check/check-facts.js';
import { type Call, webhookEffect } from '../engine/declarations.js';
import { neededOn } from '../engine/facts.js';
import { flowNameOf, startOf } from '../engine/position.js';
import { isOpenToAll } from '../engine/screen-options.js';
import { scoped } from '../session-scope.js';
import { openSession } from '../sessions/open-close-session.js';
import type { Tenant } from './tenant.js';

/** The only aggregator with an interface for pushes. */
export const pushingAggregator = 'canonical';

export interface Push {
  /** The idempotency key: the same key is the same push. */
  readonly key: string;
  /** E.164. */
  readonly phoneNumber: string;
  readonly serviceCode: string;
  /** The screen to show. */
  readonly screen: string;
}

export interface Pushed {
  readonly sessionId: string;
  /** `pending` until the webhook reports. */
  readonly result: 'pushed' | 'refused' | 'unanswered' | 'pending';
}

export interface PushingOptions {
  readonly effectRunner: Pick<EffectRunner, 'act' | 'poll'>;
  readonly rateLimits: RateLimitStore;
  /** Pushes to one phone in an hour. */
  readonly perPhonePerHour: number;
  /** The webhook that delivers pushes. */
  readonly webhook: string;
  /** Pushes of this process by session: concurrent requests of one key are one push, and count once. */
  readonly running: SingleFlight<string, Pushed>;
}

const hourMs = 3_600_000;

/** The effect that pushes a menu by a webhook, if one is configured. */
export function runPushes(
  webhook: string | undefined,
  effects: Readonly<Record<string, RunEffect>>,
): Readonly<Record<string, RunEffect>> {
  const act = webhook === undefined ? undefined : effects[webhookEffect(webhook)];
  return act === undefined ? {} : { [pushEffect]: act };
}

/**
 * Opens a session on a screen and pushes it to a phone that has not dialled. The subscriber answers with ordinary hops.
 *
 * @throws {ServiceError} `invalid_argument` for a screen that needs a log-in or facts of a session; `rate_limited`; `conflict` while
 * another push to this phone is running; the errors of the stores. Nothing was pushed then.
 */
export function pushMenu(push: Push, service: Tenant, options: PushingOptions): Promise<Pushed> {
  const sessionId = `push-${sha256Hex(`${service.id}\n${push.phoneNumber}\n${push.key}`).slice(0, 32)}`;
  return options.running.run(sessionId, () => pushOnce(sessionId, push, service, options));
}

async function pushOnce(
  sessionId: string,
  { phoneNumber, serviceCode, screen }: Push,
  service: Tenant,
  { effectRunner, rateLimits, perPhonePerHour, webhook }: PushingOptions,
): Promise<Pushed> {
  const { rules, hopDeadlineMs } = service.hops;
  const [flow] = rules.flows;
  const waitMs = hopDeadlineMs / 2;
  const known = await effectRunner.poll(sessionId, waitMs);
  if (known !== undefined) return { sessionId, result: resultOf(known.outcome?.result) };
  const target = flow.screens[screen];
  if (target === undefined || !isOpenToAll(flow, screen))
    throw new ServiceError('invalid_argument', `"${screen}" is not a screen that is open to all callers`);
  const facts = [...Object.keys(rules.facts), ...alwaysKnown];
  const unknown = neededOn(flow, target).find((name) => !facts.includes(name));
  if (unknown !== undefined)
    throw new ServiceError('invalid_argument', `"${screen}" prints "${unknown}", which is unknown in a push`);
  const phone = sha256Hex(phoneNumber).slice(0, 32);
  const { count, resetMs } = await rateLimits.hit(`${scoped('push', service.id)}:${phone}`, hourMs);
  if (count > perPhonePerHour) {
    const headers = { 'retry-after': String(Math.ceil(resetMs / 1000)) };
    throw new ServiceError('rate_limited', 'This phone has reached its limit of pushes in an hour', {
      headers,
      limiter: 'pushes',
    });
  }
  const subscriber = { aggregator: scoped(pushingAggregator, service.id), phoneNumber, serviceCode };
  const { language } = await rules.outside.findCaller(subscriber);
  const position = enter(flow, startOf(flow, language), screen);
  const { message, nonce = '' } = await openSession({ ...subscriber, sessionId, flow, position }, service.hops);
  const call: Call = {
    webhook,
    operation: 'push',
    sends: ['sessionId', 'serviceCode', 'message'],
    gives: { pushed: {}, refused: {}, unanswered: {} },
  };
  const place = { flow: flowNameOf(flow), nonce, position, by: pushEffect, call };
  const request = {
    effect: pushEffect,
    key: sessionId,
    phoneNumber,
    service: service.id,
    language: position.language,
    account: undefined,
    entries: { sessionId, serviceCode, message },
    with: {},
    secret: undefined,
  };
  const started = await effectRunner.act({ subscriber, place, request }, waitMs);
  if (started.key !== sessionId) throw new ServiceError('conflict', 'Another push to this phone is running');
  return { sessionId, result: resultOf(started.outcome?.result) };
}

function resultOf(result: string | undefined): Pushed['result'] {
  return result === 'pushed' || result === 'refused' || result === 'unanswered' ? result : 'pending';
}
