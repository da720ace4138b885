import { Readiness } from '@mlango/service-kit/health';
import { createHttpApp, type HttpApp } from '@mlango/service-kit/http-app';
import { createLogger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { mintInvocation, mintRevocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { postgresRevocationStore } from '@mlango/ucan-auth/postgres-revocation-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { phoneLinkRoutes } from '../../src/http/phone-link-routes.js';
import { linkRevocations } from '../../src/phone-identity/schema.js';
import { onDatabases } from '../support/on-databases.js';

const audience = signerFromSeed(Buffer.alloc(32, 'gateway')).did;
const person = signerFromSeed(Buffer.alloc(32, 'person'));
const other = signerFromSeed(Buffer.alloc(32, 'other'));

onDatabases((name, database) => {
  describe(`tokens for the link routes, with ${name}`, () => {
    let app: HttpApp;
    let claimed: string[];
    beforeEach(async () => {
      claimed = [];
      app = await createHttpApp({
        version: '0.0.0',
        logger: createLogger({ service: 'test', level: 'silent' }),
        trustProxy: false,
        bodyLimitBytes: 4096,
        readiness: new Readiness({}),
        metrics: createMetrics({ service: 'test', version: '0.0.0' }),
        metricsAccess: { open: false },
      });
      const claim = async (_code: string, did: string) => {
        claimed.push(did);
        return { did: audience, delegation: 'a delegation' };
      };
      const makeCode = async () => ({ code: '12345678', minutes: 10 });
      phoneLinkRoutes(app, {
        links: { audience, claim, makeCode } as never,
        auth: createUcanAuth({
          audiences: [audience],
          allowDelegationAuth: false,
          revocations: postgresRevocationStore(database().db, { table: linkRevocations }),
        }),
        tries: { take: async () => ({ ok: true }) },
      });
    });
    afterEach(async () => app.close());

    const post = async (path: string, token: string, payload: object) => {
      const headers = { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' };
      return (await app.inject({ method: 'POST', url: `/api/ussd/link${path}`, headers, payload })).statusCode;
    };
    const claimWith = (token: string) => post('', token, { code: 'AAAAA-AAAAA' });
    const revoke = (token: string) => post('/revocations', '', { token });

    it('are refused once their signer has revoked them', async () => {
      const [token, later] = [
        await mintInvocation({ signer: person, audience }),
        await mintInvocation({ signer: person, audience, lifetimeSeconds: 500 }),
      ];
      expect(await claimWith(token)).toBe(200);
      expect(await revoke(await mintRevocation({ signer: person, audience, token }))).toBe(200);
      expect(await claimWith(token)).toBe(401);
      expect(await post('/codes', token, {})).toBe(401);
      expect(await claimWith(later)).toBe(200);
      expect(claimed).toEqual([person.did, person.did]);
    });

    it('are not revoked by another signer, nor by an invalid revocation', async () => {
      const token = await mintInvocation({ signer: person, audience });
      await revoke(await mintRevocation({ signer: other, audience, token }));
      for (const bad of [token, 'AAAA', 'x'.repeat(20_000)]) expect(await revoke(bad)).toBe(400);
      expect(await claimWith(token)).toBe(200);
    });
  });
});
