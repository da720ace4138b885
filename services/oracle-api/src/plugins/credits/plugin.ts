import type { HttpApp } from '@mlango/service-kit/http-app';
import { definePlugin } from '../api/define-plugin.js';
import { creditFigures } from './credit-figures.js';
import { holdMs, localGate } from './local-gate.js';
import { creditRoutes, operatorRoutes } from './routes.js';
import { type CreditSettings, creditSettings } from './settings.js';
import { deliverClaims } from './settle-claims.js';
import { SubscriptionApi } from './subscription-api.js';
import { subscriptionGate } from './subscription-gate.js';
import { tables } from './tables.js';
import { turnCap } from './turn-cap.js';

/** Requires payment for turns and counts their usage. */
export const credits = definePlugin({
  name: 'credits',
  version: '1.0.0',
  manifest: {
    title: 'Credits',
    summary: 'Answers users who have credits or a subscription, and counts the tokens they use.',
    whenToUse: 'never by the model: it stands before each message.',
    visibility: 'silent',
  },
  configSchema: creditSettings,
  tables,
  autoDetect: (env) => [env['SUBSCRIPTION_URL'], env['CREDITS']].some((value) => (value ?? '') !== ''),
  getPaymentGate: (boot) => {
    const api = apiOf(boot.config);
    return api === undefined ? localGate(boot) : subscriptionGate(api, boot);
  },
  // With a subscription that counts no tokens, a turn has no hold and no limit.
  getMiddlewares: (boot) => turnCap(boot, apiOf(boot.config) === undefined ? undefined : Number.POSITIVE_INFINITY),
  getUsageMeter: ({ own, now }) => ({
    charges: true,
    record: ({ runId, part, ownerDid, inputTokens, outputTokens, waitsUntil }) => {
      const tokens = inputTokens + outputTokens;
      const claim = { claimId: part === 0 ? runId : `${runId}~${part}`, ownerDid, tokens, openedAt: now() };
      const until = waitsUntil === undefined ? undefined : new Date(waitsUntil.getTime() + holdMs);
      return own.open(claim, { runId, until });
    },
  }),
  getFigures: creditFigures,
  exportUser: ({ own }, ownerDid) => own.rowsOf(ownerDid),
  forgetUser: async ({ own, config }, ownerDid) => {
    // With a subscription API, the local balance is only a copy.
    if (apiOf(config) !== undefined) await own.mirror(ownerDid, 0, (await own.accountOf(ownerDid)).balance);
    return own.forget(ownerDid);
  },
  getRoutes: (boot) => {
    const api = apiOf(boot.config);
    return [
      (app) => creditRoutes(app, boot, api),
      (app) => operatorRoutes(app, boot, api),
      ...(api === undefined ? [] : [(app: HttpApp) => void app.addHook('onClose', deliverClaims(boot, api))]),
    ];
  },
  // These routes have a separate guard, which requires the operator token instead of a user's token.
  getAuthExcludedRoutes: ({ config }) => [
    ...(apiOf(config) === undefined ? [{ method: 'POST', path: '/credits/top-ups' }] : []),
    { method: 'POST', path: '/credits/claims/process' },
  ],
});

function apiOf({ SUBSCRIPTION_URL: url, SUBSCRIPTION_API_KEY: apiKey }: CreditSettings): SubscriptionApi | undefined {
  return url === undefined ? undefined : new SubscriptionApi({ url, apiKey });
}
