import { claimsAccepted, subscriptionStanding } from '@mlango/schemas/oracle-credits';
import { Agent, request } from 'undici';
import type { CreditClaim } from './credit-ledger.js';

export interface SubscriptionApiOptions {
  /** Base address. */
  readonly url: string;
  readonly apiKey?: string | undefined;
  /** The most time one request takes. Default 2,000. */
  readonly limitMs?: number;
}

/** Whether a user may be answered. `claims`: what they have to pay first, where the API says it. */
export type Standing =
  | { readonly kind: 'active' }
  | { readonly kind: 'inactive'; readonly claims: readonly string[] }
  | { readonly kind: 'away'; readonly cause: unknown };

const limitBytes = 64 * 1024;

/** The subscription API, asked over HTTP. Redirects are not followed. */
export class SubscriptionApi {
  readonly #base: string;
  readonly #limitMs: number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent: Agent;

  constructor({ url, apiKey, limitMs = 2_000 }: SubscriptionApiOptions) {
    this.#base = url.replace(/\/+$/, '');
    this.#limitMs = limitMs;
    this.#headers = {
      accept: 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    };
    this.#agent = new Agent({ connections: 32, maxResponseSize: limitBytes, connect: { timeout: limitMs } });
  }

  /** `GET /subscriptions/:did` answers `{active, claims?}`; 404 is a user it does not know. Never rejects. */
  async standingOf(ownerDid: string): Promise<Standing> {
    try {
      const { status, text } = await this.#ask(`/subscriptions/${encodeURIComponent(ownerDid)}`, { method: 'GET' });
      if (status === 404) return { kind: 'inactive', claims: [] };
      if (status !== 200) throw new Error(`the subscription API answered ${status}`);
      const { active, claims } = subscriptionStanding.parse(JSON.parse(text));
      return active ? { kind: 'active' } : { kind: 'inactive', claims };
    } catch (cause) {
      return { kind: 'away', cause };
    }
  }

  /**
   * `POST /claims` with `{claims: [{claimId, did, tokens, openedAt}]}` answers `{accepted: [claimId]}`: those it keeps now
   * or has kept before. Rejects when it cannot be reached or makes no sense; the same claims can then be submitted again.
   */
  async submit(claims: readonly CreditClaim[]): Promise<readonly string[]> {
    const body = JSON.stringify({
      claims: claims.map(({ claimId, ownerDid, tokens, openedAt }) => ({ claimId, did: ownerDid, tokens, openedAt })),
    });
    const { status, text } = await this.#ask('/claims', { method: 'POST', body });
    if (status !== 200) throw new Error(`the subscription API answered ${status}`);
    return claimsAccepted.parse(JSON.parse(text)).accepted;
  }

  async #ask(path: string, { method, body }: { method: 'GET' | 'POST'; body?: string }) {
    const reply = await request(this.#base + path, {
      method,
      dispatcher: this.#agent,
      signal: AbortSignal.timeout(this.#limitMs),
      headers: { ...this.#headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body }),
    });
    return { status: reply.statusCode, text: await reply.body.text() };
  }
}
