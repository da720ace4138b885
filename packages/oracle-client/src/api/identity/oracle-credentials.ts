import type { Credentials } from '../requests/oracle-connection.js';
import { newId } from '../requests/values.js';
import type { TokenCache } from './token-cache.js';
import type { IWallet } from './wallet.js';

export interface CredentialParts {
  readonly wallet: IWallet;
  /** Undefined if the delegation alone authenticates the user. */
  readonly invocations: TokenCache | undefined;
  readonly delegations: TokenCache;
}

/** Credentials for a socket connection. */
export interface SocketCredentials {
  readonly invocation?: string;
  readonly ucanDelegation: string;
}

/** The credentials of one user for one oracle, in requests and over sockets. Tokens are signed on demand. */
export class OracleCredentials implements Credentials {
  readonly #parts: CredentialParts;
  readonly #oracleDid: string;

  constructor(parts: CredentialParts, oracleDid: string) {
    this.#parts = parts;
    this.#oracleDid = oracleDid;
  }

  /** Each request has a unique id. */
  async headers(): Promise<Record<string, string>> {
    const { invocation, ucanDelegation } = await this.tokens();
    const { did, matrix } = this.#parts.wallet;
    const timeZone = knownTimeZone();
    return {
      ...(invocation === undefined ? {} : { authorization: `Bearer ${invocation}`, 'x-auth-type': 'ucan' }),
      'x-ucan-delegation': ucanDelegation,
      'x-did': did,
      ...(matrix.accessToken === '' ? {} : { 'x-matrix-access-token': matrix.accessToken }),
      ...(matrix.homeServer === '' ? {} : { 'x-matrix-homeserver': matrix.homeServer }),
      ...(timeZone === undefined ? {} : { 'x-timezone': timeZone }),
      'x-request-id': newId(),
    };
  }

  refused(headers: Readonly<Record<string, string>>): boolean {
    const invocation = headers['authorization']?.slice('Bearer '.length);
    const ucanDelegation = headers['x-ucan-delegation'];
    this.refusedTokens({
      ...(invocation === undefined ? {} : { invocation }),
      ...(ucanDelegation === undefined ? {} : { ucanDelegation }),
    });
    return true;
  }

  /** Forgets tokens that were refused, so that others are signed. */
  refusedTokens({ invocation, ucanDelegation = '' }: Partial<SocketCredentials>): void {
    const { delegations, invocations } = this.#parts;
    // The delegation authenticates the user only without an invocation.
    if (invocation !== undefined) invocations?.drop(this.#oracleDid, invocation);
    else delegations.drop(this.#oracleDid, ucanDelegation);
  }

  /** Time at which `tokens` will return a new token, Unix ms. */
  renewAtMs(): number | undefined {
    const { invocations, delegations } = this.#parts;
    return (invocations ?? delegations).freshUntilMs(this.#oracleDid);
  }

  async tokens(): Promise<SocketCredentials> {
    const { invocations, delegations } = this.#parts;
    // Sequential, so that a wallet shows one prompt at a time.
    const ucanDelegation = await delegations.get(this.#oracleDid);
    const invocation = await invocations?.get(this.#oracleDid);
    return invocation === undefined ? { ucanDelegation } : { invocation, ucanDelegation };
  }
}

/** Undefined for a time zone that oracles reject: Chrome in containers reports `Etc/Unknown`. */
function knownTimeZone(): string | undefined {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (timeZone === undefined || timeZone === 'Etc/Unknown') return undefined;
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch {
    return undefined;
  }
}
