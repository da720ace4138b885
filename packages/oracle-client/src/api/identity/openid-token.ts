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
 * An in-memory cache of texts, encrypted with AES-GCM under a non-extractable key until they expire: the memory of the page does
 * not hold the plain text. Without Web Crypto (plain HTTP) nothing is cached.
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

/** Minimum remaining lifetime of a returned token. */
const marginMs = 30_000;

const unnamed: OpenIdTokenRequest = { userId: '', matrixAccessToken: '' };

const cache = new SealedCache();
const inFlight = new Map<string, Promise<IOpenIDToken>>();

/** The request for the Matrix account of a wallet: `@did-ixo-<address>` at its homeserver. */
export function requestOf({ address, matrix: { accessToken, homeServer } }: IWallet): OpenIdTokenRequest {
  const serverName = homeServer.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
  return { userId: `@did-ixo-${address}:${serverName}`, matrixAccessToken: accessToken, homeServer };
}

/**
 * An OpenID token of a Matrix user, from their homeserver. Default: the user of the mounted provider; without a provider it
 * rejects. The token is cached, encrypted, until it expires, and concurrent callers share one request. Rejects with an
 * `OracleRequestError` when the homeserver refuses or is unreachable.
 */
export async function getOpenIdToken(options: Partial<OpenIdTokenRequest> = {}): Promise<IOpenIDToken> {
  const isNamed = options.userId !== undefined && options.matrixAccessToken !== undefined;
  const request = { ...(isNamed ? unnamed : requestOf(connectedWallet())), ...options };
  const { userId, matrixAccessToken, forceNewToken = false } = request;
  const serverName = /^@[^:]+:(.+)$/.exec(userId)?.[1];
  if (serverName === undefined) throw new Error('A Matrix user id is needed, such as @user:matrix.example');
  if (matrixAccessToken === '') throw new Error('A Matrix access token is needed');
  const homeServer = homeServerUrl(request.homeServer ?? serverName);
  const name = JSON.stringify([homeServer, userId]);
  if (!forceNewToken) {
    const before = await cache.get(name, Date.now());
    if (before !== undefined) return JSON.parse(before) as IOpenIDToken;
  }
  const other = inFlight.get(name);
  if (other !== undefined) return other;
  const pending = requestToken(homeServer, userId, matrixAccessToken)
    .then(async (token) => {
      await cache.put(name, JSON.stringify(token), Date.now() + token.expires_in * 1_000 - marginMs);
      return token;
    })
    .finally(() => inFlight.delete(name));
  inFlight.set(name, pending);
  return pending;
}

async function requestToken(homeServer: string, userId: string, accessToken: string): Promise<IOpenIDToken> {
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
