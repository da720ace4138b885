import { OraclesProvider } from '@mlango/oracle-client';
import type { BrowserIdentity } from '@mlango/oracle-client/browser-identity';
import { type ReactNode, useCallback } from 'react';

interface AsUserProps {
  readonly user: Pick<BrowserIdentity, 'wallet' | 'createDelegation' | 'createInvocation'>;
  /** Whose account is missing where something is to be paid. */
  readonly who?: string;
  readonly children: ReactNode;
}

/** What is below talks to oracles as a user whose key is of this browser: it signs tokens, and has no account on a chain. */
export function AsUser({ user, who = 'This page', children }: AsUserProps) {
  const refuseToSign = useCallback(() => Promise.reject(new Error(`${who} has no account to pay with.`)), [who]);
  return (
    <OraclesProvider
      initialWallet={user.wallet}
      createDelegation={user.createDelegation}
      createInvocation={user.createInvocation}
      transactSignX={refuseToSign}
    >
      {children}
    </OraclesProvider>
  );
}
