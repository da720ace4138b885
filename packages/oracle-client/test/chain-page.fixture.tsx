import { endPrograms, startBuilt, startNodeProgram } from '@mlango/test-services/program';
import type { PropsWithChildren, ReactElement } from 'react';
import { type IWallet, OraclesProvider, type TransactSignX } from '../src/oracle-client.js';
import { newUser } from './user.fixture.js';

/** The mock chain and the query gateway in front of it, as processes of their own. */
export async function startChain() {
  const node = await startNodeProgram();
  const gateway = await startBuilt('services/proto-gateway/dist/main.js', { PORT: '0', GRPC_TARGETS: node.address });
  return { gatewayUrl: gateway.address, close: () => endPrograms() };
}

interface PageOptions {
  readonly gatewayUrl?: string;
  readonly wallet?: Partial<IWallet>;
  readonly transactSignX?: TransactSignX;
}

/** The provider for rendering hooks that read the chain, or request signatures. */
export function chainPage({ gatewayUrl, wallet = {}, transactSignX }: PageOptions) {
  const { initialWallet, did: _, ...user } = newUser();
  return function Page({ children }: PropsWithChildren): ReactElement {
    return (
      <OraclesProvider
        {...user}
        initialWallet={{ ...initialWallet, ...wallet }}
        {...(gatewayUrl === undefined ? {} : { gatewayUrl })}
        {...(transactSignX === undefined ? {} : { transactSignX })}
      >
        {children}
      </OraclesProvider>
    );
  };
}
