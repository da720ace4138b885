import { QueryClient } from '@tanstack/react-query';
import {
  type PropsWithChildren,
  type ReactElement,
  useEffect,
  useInsertionEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { publicGateway } from '../api/chain/entity-document.js';
import { connectWallet, type IWallet, type SignArtifact, type TransactSignX } from '../api/identity/wallet.js';
import { OraclesRuntime } from '../api/oracles-runtime.js';
import { OracleConnection } from '../api/requests/oracle-connection.js';
import { OraclesContext, type OraclesContextValue } from './oracles-context.js';

export interface IOraclesProviderProps {
  /** Connected user's wallet and messaging session. */
  readonly initialWallet: IWallet;
  readonly transactSignX: TransactSignX;
  /** Signs a user-to-oracle delegation; sent as `x-ucan-delegation`. */
  readonly createDelegation: SignArtifact;
  /** Signs a short-lived invocation, sent as `Authorization: Bearer`. Without it the delegation authenticates the user. */
  readonly createInvocation?: SignArtifact;
  /** Base URL of the query gateway for chain reads. Default: that of the network of the wallet's homeserver. */
  readonly gatewayUrl?: string;
  /** Default: a separate one. Queries of the host are unaffected either way. */
  readonly queryClient?: QueryClient;
}

/** Provides the user to the hooks of this package. */
export function OraclesProvider(props: PropsWithChildren<IOraclesProviderProps>): ReactElement {
  const { children, initialWallet: wallet, transactSignX, createDelegation, createInvocation, gatewayUrl } = props;
  const [ownQueryClient] = useState(newQueryClient);
  const queryClient = props.queryClient ?? ownQueryClient;
  const latest = useRef({ createDelegation, createInvocation, transactSignX });
  useEffect(() => {
    latest.current = { createDelegation, createInvocation, transactSignX };
  });
  useEffect(() => {
    ownQueryClient.mount();
    return () => ownQueryClient.unmount();
  }, [ownQueryClient]);

  const { address, did, actor } = wallet;
  const { accessToken, homeServer } = wallet.matrix;
  const hasInvocations = createInvocation !== undefined;
  const value = useMemo((): OraclesContextValue => {
    const acting = actor === undefined ? {} : { actor };
    const user = { address, did, ...acting, matrix: { accessToken, homeServer } };
    const runtime = new OraclesRuntime({
      wallet: user,
      queryClient,
      createDelegation: (oracleDid) => latest.current.createDelegation(oracleDid),
      createInvocation: hasInvocations ? (oracleDid) => signInvocation(latest.current, oracleDid) : undefined,
    });
    return {
      runtime,
      public: {
        wallet: user,
        gatewayUrl: gatewayUrl ?? publicGateway(homeServer),
        transactSignX: (messages, memo) => latest.current.transactSignX(messages, memo),
        authedRequest: (url, method, options, oracleDid) =>
          new OracleConnection('', runtime.credentials(oracleDid)).json(url, { ...options, method }),
        getDelegation: (oracleDid) => runtime.delegations.get(oracleDid),
        getInvocation: async (oracleDid) => (await runtime.invocations?.get(oracleDid)) ?? null,
      },
    };
  }, [address, did, actor, accessToken, homeServer, hasInvocations, gatewayUrl, queryClient]);

  // Runs before effects of children, which may need the wallet.
  useInsertionEffect(() => connectWallet(value.public.wallet), [value]);

  return <OraclesContext.Provider value={value}>{children}</OraclesContext.Provider>;
}

async function signInvocation(latest: { createInvocation: SignArtifact | undefined }, oracleDid: string) {
  if (latest.createInvocation === undefined) throw new Error('createInvocation was removed');
  return latest.createInvocation(oracleDid);
}

/** Sockets report changes, so nothing is refetched on mount or focus. */
function newQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, refetchOnWindowFocus: false } } });
}
