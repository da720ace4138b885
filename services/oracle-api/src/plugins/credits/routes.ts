import { invalidRequest, jsonError } from '@mlango/schemas/errors';
import { claimsProcessed, creditAccount, creditTopUp, creditTopUpReply } from '@mlango/schemas/oracle-credits';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import { rightsOf } from '../../identity/route-rights.js';
import { restrictToOperators } from '../api/operator-routes.js';
import { payClaims, submitClaims } from './settle-claims.js';
import type { SubscriptionApi } from './subscription-api.js';
import type { CreditBoot } from './tables.js';

/** `/credits`: account of the caller. */
export function creditRoutes(app: HttpApp, { own, config }: CreditBoot, api: SubscriptionApi | undefined): void {
  app.get(
    '/credits',
    {
      config: rightsOf('GET /credits'),
      schema: {
        operationId: 'getCredits',
        summary: 'Get balance, debt and prices of the caller',
        description: 'In tokens. With a subscription API, `balance`, `held` and `turnTokens` are absent.',
        response: { 200: creditAccount },
      },
    },
    async (request) => {
      const { did } = callerOf(request);
      const { CREDITS_TURN_TOKENS: turnTokens } = config;
      const { balance, held, owed, openClaims } = await own.accountOf(did);
      return { did, ...(api === undefined ? { balance, held, turnTokens } : {}), owed, claims: [...openClaims] };
    },
  );
}

/** Routes for the payment service, and for a scheduled settlement of claims. */
export function operatorRoutes(
  app: HttpApp,
  { own, config, now, logger }: CreditBoot,
  api: SubscriptionApi | undefined,
): void {
  const access = { token: config.CREDITS_OPERATOR_TOKEN, open: config.NODE_ENV !== 'production' };
  restrictToOperators(app, access);

  if (api === undefined) {
    app.post(
      '/credits/top-ups',
      {
        schema: {
          operationId: 'topUpCredits',
          summary: 'Add to the balance of a user (operators)',
          description: 'Idempotent: a repeated `topUpId` has no effect.',
          body: creditTopUp,
          response: { 200: creditTopUpReply, 400: invalidRequest },
        },
      },
      async (request) => {
        const { topUpId, did, tokens } = request.body;
        return { balance: await own.topUp({ topUpId, ownerDid: did, tokens, at: now() }) };
      },
    );
  }

  app.post(
    '/credits/claims/process',
    {
      schema: {
        operationId: 'settleClaims',
        summary: 'Settle the claims of used credits (operators)',
        description: 'For a scheduler. Concurrent calls settle each claim once.',
        response: { 200: claimsProcessed, 503: jsonError },
      },
    },
    async () => {
      if (api === undefined) return { settled: await payClaims(own, now) };
      try {
        await own.hurry(now());
        return { settled: await submitClaims(own, api, now, logger) };
      } catch (err) {
        logger.warn({ err }, 'claims not settled');
        throw new ServiceError('unavailable', 'The claims could not all be settled; the rest stay open');
      }
    },
  );
}
