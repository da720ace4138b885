import { OraclesProvider } from '@mlango/oracle-client';
import type { BrowserIdentity } from '@mlango/oracle-client/browser-identity';
import { type ReactNode, useCallback } from 'react';

interface AsUserProps {
  readonly user: Pick<BrowserIdentity, 'wallet' | 'createDelegation' | 'createInvocation'>;
  /** Error of payments: this user has no account on a chain. */
  readonly userName?: string;
  readonly children: ReactNode;
}

/** Provides a user with a key of this browser: it signs tokens and has no account on a chain. */
export function AsUser({ user, userName = 'This page', children }: AsUserProps) {
  const refuseToSign = useCallback(
    () => Promise.reject(new Error(`${userName} has no account to pay with.`)),
    [userName],
  );
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
