import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  claimsAccepted,
  claimsSubmission,
  type SubmittedClaim,
  subscriptionStanding,
} from '@mlango/schemas/oracle-credits';

export const subscriptionKey = 'a-key-of-this-oracle';

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Faulty reply instead of the regular one. */
export type Misbehaviour = Answer | 'silent';

/**
 * A subscription API on loopback, as the plugin's README specifies: stores which users have paid, bills each claim id once, and
 * rejects invalid requests.
 */
export async function standInSubscriptions() {
  const paid = new Set<string>();
  const outstanding = new Map<string, string[]>();
  const allowances = new Map<string, number>();
  const billed = new Map<string, SubmittedClaim>();
  const asked: string[] = [];
  const state: { misbehaviour?: Misbehaviour; isLosingReplies: boolean; refused: ReadonlySet<string> } = {
    isLosingReplies: false,
    refused: new Set(),
  };

  async function answer(request: IncomingMessage): Promise<Misbehaviour> {
    const { method, url = '', headers } = request;
    asked.push(`${method} ${url}`);
    if (state.misbehaviour !== undefined) return state.misbehaviour;
    if (headers.authorization !== `Bearer ${subscriptionKey}`) return { status: 401 };
    const [, did] = /^\/v1\/subscriptions\/([^/?]+)$/.exec(url) ?? [];
    if (method === 'GET' && did !== undefined) return standingOf(decodeURIComponent(did));
    if (method !== 'POST' || url !== '/v1/claims') return { status: 404 };
    const submitted = claimsSubmission.strict().safeParse(JSON.parse(await text(request)));
    if (!submitted.success) return { status: 400 };
    const { claims } = submitted.data;
    const taken = claims.filter(({ did: owner }) => !state.refused.has(owner));
    for (const claim of taken) if (!billed.has(claim.claimId)) billed.set(claim.claimId, claim);
    const accepted = taken.map(({ claimId }) => claimId);
    return state.isLosingReplies ? 'silent' : { status: 200, body: claimsAccepted.parse({ accepted }) };
  }

  function standingOf(did: string): Answer {
    const took = [...billed.values()].reduce((sum, claim) => sum + (claim.did === did ? claim.tokens : 0), 0);
    const allowance = allowances.get(did);
    const remaining = allowance === undefined ? {} : { remaining: Math.max(allowance - took, 0) };
    if (paid.has(did)) return { status: 200, body: subscriptionStanding.parse({ active: true, ...remaining }) };
    const claims = outstanding.get(did);
    return claims === undefined
      ? { status: 404 }
      : { status: 200, body: subscriptionStanding.parse({ active: false, claims }) };
  }

  const server = createServer((request, response) => {
    void (async () => {
      const given = await answer(request);
      if (given === 'silent') return;
      response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers });
      response.end(JSON.stringify(given.body ?? {}));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`,
    /** DIDs that have paid. */
    paid,
    /** Paid tokens by DID; other DIDs are not counted. */
    allowances,
    /** Claims that a DID must pay first, in this API. */
    outstanding,
    state,
    /** Received requests, as method and path. */
    asked,
    billedTo: (did: string) => [...billed.values()].filter((claim) => claim.did === did),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
