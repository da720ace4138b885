import { claimsAccepted, subscriptionStanding } from '@mlango/schemas/oracle-credits';
import { HttpService } from '../api/http-service.js';
import type { CreditClaim } from './credit-records.js';

/** Access of a user. `remaining`: the tokens left, and `claims`: claims that the user must pay first, both if the API reports them. */
export type Standing =
  | { readonly kind: 'active'; readonly remaining?: number | undefined }
  | { readonly kind: 'inactive'; readonly claims: readonly string[] }
  | { readonly kind: 'unavailable'; readonly cause: unknown };

/** HTTP client of the subscription API. */
export class SubscriptionApi {
  readonly #api: HttpService;

  constructor({ url, apiKey }: { readonly url: string; readonly apiKey?: string | undefined }) {
    const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    this.#api = new HttpService({ url, headers, limitMs: 2_000, limitBytes: 64 * 1024 });
  }

  /** `GET /subscriptions/:did` answers `{active, remaining?, claims?}`; 404 means an unknown user. Never rejects. */
  async standingOf(ownerDid: string): Promise<Standing> {
    try {
      const { status, text } = await this.#api.request(`/subscriptions/${encodeURIComponent(ownerDid)}`);
      if (status === 404) return { kind: 'inactive', claims: [] };
      if (status !== 200) throw new Error(`the subscription API answered ${status}`);
      const { active, claims, remaining } = subscriptionStanding.parse(JSON.parse(text));
      return active ? { kind: 'active', remaining } : { kind: 'inactive', claims };
    } catch (cause) {
      return { kind: 'unavailable', cause };
    }
  }

  /**
   * `POST /claims` with `{claims: [{claimId, did, tokens, openedAt}]}` answers `{accepted: [claimId]}`: claims accepted now or
   * before. Rejects if the API is unreachable or its reply is invalid; the same claims can then be submitted again.
   */
  async submit(claims: readonly CreditClaim[]): Promise<readonly string[]> {
    const body = {
      claims: claims.map(({ claimId, ownerDid, tokens, openedAt }) => ({ claimId, did: ownerDid, tokens, openedAt })),
    };
    const { status, text } = await this.#api.request('/claims', { body });
    if (status !== 200) throw new Error(`the subscription API answered ${status}`);
    return claimsAccepted.parse(JSON.parse(text)).accepted;
  }
}
