import { createContext, useContext } from 'react';
import { type IWallet, outsideOfProvider, type TransactSignX } from '../api/identity/wallet.js';
import type { OraclesRuntime } from '../api/oracles-runtime.js';
import type { RequestOptions } from '../api/requests/oracle-connection.js';

export interface IOraclesContext {
  readonly wallet: IWallet;
  readonly transactSignX: TransactSignX;
  /** Base URL of the query gateway, which reads the chain. */
  readonly gatewayUrl: string | undefined;
  /**
   * The JSON at an absolute URL of an oracle, requested as the user. Rejects with an `OracleRequestError`.
   */
  readonly authedRequest: <Reply>(
    url: string,
    method: NonNullable<RequestOptions['method']>,
    options: Omit<RequestOptions, 'method'> | undefined,
    oracleDid: string,
  ) => Promise<Reply>;
  /** A valid delegation to the oracle; signed if there is none. */
  readonly getDelegation: (oracleDid: string) => Promise<string>;
  /** An invocation for the oracle that lasts; `null` where the provider has no `createInvocation`. */
  readonly getInvocation: (oracleDid: string) => Promise<string | null>;
}

export interface OraclesContextValue {
  readonly public: IOraclesContext;
  /** Further state for the hooks of this package. */
  readonly runtime: OraclesRuntime;
}

export const OraclesContext = createContext<OraclesContextValue | undefined>(undefined);

function useValue(): OraclesContextValue {
  const value = useContext(OraclesContext);
  if (value === undefined) throw new Error(outsideOfProvider);
  return value;
}

/** The connected user and authenticated requests. Throws outside of an `OraclesProvider`. */
export function useOraclesContext(): IOraclesContext {
  return useValue().public;
}

/** Throws outside of an `OraclesProvider`. */
export function useOraclesRuntime(): OraclesRuntime {
  return useValue().runtime;
}
