import type { Credentials } from '../requests/oracle-connection.js';
import type { SignedArtifacts } from './signed-artifacts.js';
import type { IWallet } from './wallet.js';

export interface CredentialParts {
  readonly wallet: IWallet;
  /** Undefined: the delegation alone says who the user is. */
  readonly invocations: SignedArtifacts | undefined;
  readonly delegations: SignedArtifacts;
}

/** What a socket shows when it connects. */
export interface SocketCredentials {
  readonly invocation?: string;
  readonly ucanDelegation: string;
}

/** What one user shows one oracle, in requests and over sockets. Tokens are signed when they are needed. */
export class OracleCredentials implements Credentials {
  readonly #parts: CredentialParts;
  readonly #oracleDid: string;

  constructor(parts: CredentialParts, oracleDid: string) {
    this.#parts = parts;
    this.#oracleDid = oracleDid;
  }

  /** Each request has an id of its own. */
  async headers(): Promise<Record<string, string>> {
    const { invocation, ucanDelegation } = await this.tokens();
    const { did, matrix } = this.#parts.wallet;
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return {
      ...(invocation === undefined ? {} : { authorization: `Bearer ${invocation}`, 'x-auth-type': 'ucan' }),
      'x-ucan-delegation': ucanDelegation,
      'x-did': did,
      ...(matrix.accessToken === '' ? {} : { 'x-matrix-access-token': matrix.accessToken }),
      ...(matrix.homeServer === '' ? {} : { 'x-matrix-homeserver': matrix.homeServer }),
      ...(timeZone === undefined ? {} : { 'x-timezone': timeZone }),
      'x-request-id': crypto.randomUUID(),
    };
  }

  refused(headers: Readonly<Record<string, string>>): boolean {
    const { delegations, invocations } = this.#parts;
    const invocation = headers['authorization']?.slice('Bearer '.length);
    // A delegation is only what the user is known by where there is no invocation.
    if (invocation !== undefined) invocations?.drop(this.#oracleDid, invocation);
    else delegations.drop(this.#oracleDid, headers['x-ucan-delegation'] ?? '');
    return true;
  }

  async tokens(): Promise<SocketCredentials> {
    const { invocations, delegations } = this.#parts;
    const [invocation, ucanDelegation] = await Promise.all([
      invocations?.get(this.#oracleDid),
      delegations.get(this.#oracleDid),
    ]);
    return invocation === undefined ? { ucanDelegation } : { invocation, ucanDelegation };
  }
}
