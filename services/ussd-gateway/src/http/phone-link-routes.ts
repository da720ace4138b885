import { jsonError } from '@mlango/schemas/errors';
import { revocationBody, revocationRecorded } from '@mlango/schemas/oracle-delegation';
import { linkCodeBody, linkCodeMade, linkedPhone, linkService } from '@mlango/schemas/ussd-links';
import { callerRefused } from '@mlango/service-kit/errors';
import { addressKey, type HttpApp, refusedRevocation, takeOrRefuse } from '@mlango/service-kit/http-app';
import type { FastifyRequest } from 'fastify';
import type { PhoneLinkDeps } from '../deps/open-oracle.js';

const tags = ['links'];
/** A token is at most 64 KiB, in JSON. */
const revocationBytes = 128 * 1024;
const failures = {
  400: jsonError,
  401: jsonError,
  413: jsonError,
  415: jsonError,
  429: jsonError,
  500: jsonError,
  503: jsonError,
};

/**
 * Routes that link a person on the web with a phone. The person proves a DID. One side shows a code, which is typed on
 * the other.
 */
export function phoneLinkRoutes(app: HttpApp, { links, auth, tries }: PhoneLinkDeps): void {
  /** The DID of the caller, by an invocation for this gateway. Attempts are counted first. */
  const personOf = async ({ ip, headers }: FastifyRequest): Promise<string> => {
    const address = addressKey(ip);
    await takeOrRefuse(tries, `address:${address}`);
    const outcome = await auth.request(headers, { address });
    if (!outcome.ok) throw callerRefused(outcome.failure);
    await takeOrRefuse(tries, `did:${outcome.caller.did}`);
    return outcome.caller.did;
  };

  app.get(
    '/api/ussd/link',
    {
      schema: {
        tags,
        operationId: 'getLinkAudience',
        summary: 'Get the DID that invocations for these routes name as audience',
        response: { 200: linkService, 429: jsonError },
      },
    },
    async () => ({ did: links.audience }),
  );

  app.post(
    '/api/ussd/link',
    {
      schema: {
        tags,
        operationId: 'claimPhoneLink',
        summary: 'Link the caller with the phone of a code',
        description:
          'The code that a phone shows, or one of `POST /api/ussd/link/codes` once it was typed on a phone. It works once. The delegation lets ' +
          'the caller converse at the oracle for the phone, until that takes it back.',
        body: linkCodeBody,
        response: { 200: linkedPhone, 404: jsonError, 409: jsonError, ...failures },
      },
    },
    async (request) => {
      const did = await personOf(request);
      return links.claim(request.body.code, did);
    },
  );

  app.post(
    '/api/ussd/link/revocations',
    {
      bodyLimit: revocationBytes,
      schema: {
        tags,
        operationId: 'revokeLinkToken',
        summary: 'Revoke a token of the caller for these routes',
        description: 'Revokes a leaked invocation before it expires. The oracle has its own list of revocations.',
        body: revocationBody,
        response: { 200: revocationRecorded, 409: jsonError, ...failures },
      },
    },
    async (request) => {
      const address = addressKey(request.ip);
      await takeOrRefuse(tries, `address:${address}`);
      const revoked = await auth.revoke(request.body.token, { address });
      if (revoked.ok) return { ok: true as const };
      throw refusedRevocation(revoked);
    },
  );

  app.post(
    '/api/ussd/link/codes',
    {
      schema: {
        tags,
        operationId: 'createPhoneLinkCode',
        summary: 'Create a code to type on a phone',
        description: 'In the place of the one before. Once it was typed, `POST /api/ussd/link` with it gives the link.',
        response: { 201: linkCodeMade, ...failures },
      },
    },
    async (request, reply) => reply.code(201).send(await links.makeCode(await personOf(request))),
  );
}
