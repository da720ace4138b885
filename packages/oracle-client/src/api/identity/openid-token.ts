import { homeServerUrl } from '../chain/read-resource.js';
import { fetchJson } from '../requests/fetch-json.js';
import { recordOf } from '../requests/values.js';
import { connectedWallet, type IWallet } from './wallet.js';

interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly bytes: ArrayBuffer;
  readonly expiresAtMs: number;
}

const limit = 100;

/**
 * Keeps texts sealed with AES-GCM, under a key that no script can take out of the browser, until they expire: what lies in the
 * page's memory is of no use elsewhere. Where a page has no Web Crypto (plain HTTP) nothing is kept.
 */
class SealedCache {
  readonly #sealed = new Map<string, Sealed>();
  #key: Promise<CryptoKey> | undefined;

  async get(name: string, nowMs: number): Promise<string | undefined> {
    const found = this.#sealed.get(name);
    if (found === undefined) return undefined;
    if (found.expiresAtMs <= nowMs) {
      this.#sealed.delete(name);
      return undefined;
    }
    const { iv, bytes } = found;
    return new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await this.#ownKey(), bytes));
  }

  async put(name: string, text: string, expiresAtMs: number): Promise<void> {
    if (globalThis.crypto?.subtle === undefined) return;
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const plain = new TextEncoder().encode(text);
    const bytes = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await this.#ownKey(), plain);
    const [oldest] = this.#sealed.keys();
    if (this.#sealed.size >= limit && oldest !== undefined) this.#sealed.delete(oldest);
    this.#sealed.set(name, { iv, bytes, expiresAtMs });
  }

  delete(name: string): void {
    this.#sealed.delete(name);
  }

  #ownKey(): Promise<CryptoKey> {
    this.#key ??= crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
    return this.#key;
  }
}

/** Proves the Matrix user to third parties through the homeserver; gives no access. */
export interface IOpenIDToken {
  readonly access_token: string;
  /** Seconds from when it was made. */
  readonly expires_in: number;
  readonly matrix_server_name: string;
  readonly token_type: string;
}

export interface OpenIdTokenRequest {
  /** Such as `@did-ixo-ixo1abc:matrix.example`. */
  readonly userId: string;
  readonly matrixAccessToken: string;
  /** Base URL of the homeserver. Default: that of the name in the user id. */
  readonly homeServer?: string;
  /** Request a new token even if one is cached. */
  readonly forceNewToken?: boolean;
}

/** Of the life of a token, what must be left when it is given out. */
const marginMs = 30_000;

const unnamed: OpenIdTokenRequest = { userId: '', matrixAccessToken: '' };

const kept = new SealedCache();
const asking = new Map<string, Promise<IOpenIDToken>>();

/** The request for the Matrix account of a wallet: `@did-ixo-<address>` at its homeserver. */
export function requestOf({ address, matrix: { accessToken, homeServer } }: IWallet): OpenIdTokenRequest {
  const serverName = homeServer.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
  return { userId: `@did-ixo-${address}:${serverName}`, matrixAccessToken: accessToken, homeServer };
}

/**
 * An OpenID token of a Matrix user, from their homeserver. Who is not named is the user of the provider that is mounted; without one it
 * rejects as hooks throw. It is kept, sealed, until it expires; callers that come while it is
 * asked for share it. Rejects with an `OracleRequestError` when the homeserver refuses or cannot be reached.
 */
export async function getOpenIdToken(given: Partial<OpenIdTokenRequest> = {}): Promise<IOpenIDToken> {
  const isNamed = given.userId !== undefined && given.matrixAccessToken !== undefined;
  const request = { ...(isNamed ? unnamed : requestOf(connectedWallet())), ...given };
  const { userId, matrixAccessToken, forceNewToken = false } = request;
  const serverName = /^@[^:]+:(.+)$/.exec(userId)?.[1];
  if (serverName === undefined) throw new Error('A Matrix user id is needed, such as @user:matrix.example');
  if (matrixAccessToken === '') throw new Error('A Matrix access token is needed');
  const homeServer = homeServerUrl(request.homeServer ?? serverName);
  const name = JSON.stringify([homeServer, userId]);
  if (!forceNewToken) {
    const before = await kept.get(name, Date.now());
    if (before !== undefined) return JSON.parse(before) as IOpenIDToken;
  }
  const other = asking.get(name);
  if (other !== undefined) return other;
  const asked = ask(homeServer, userId, matrixAccessToken)
    .then(async (token) => {
      await kept.put(name, JSON.stringify(token), Date.now() + token.expires_in * 1_000 - marginMs);
      return token;
    })
    .finally(() => asking.delete(name));
  asking.set(name, asked);
  return asked;
}

async function ask(homeServer: string, userId: string, accessToken: string): Promise<IOpenIDToken> {
  const url = `${homeServer}/_matrix/client/v3/user/${encodeURIComponent(userId)}/openid/request_token`;
  const headers = { authorization: `Bearer ${accessToken}` };
  const { access_token, expires_in, matrix_server_name, token_type } = recordOf(
    await fetchJson(url, { method: 'POST', body: {}, headers }),
  );
  if (typeof access_token !== 'string' || typeof expires_in !== 'number') {
    throw new Error('The homeserver gave no OpenID token');
  }
  return {
    access_token,
    expires_in,
    matrix_server_name: typeof matrix_server_name === 'string' ? matrix_server_name : '',
    token_type: typeof token_type === 'string' ? token_type : 'Bearer',
  };
}
