import { OraclesProvider } from '@mlango/oracle-client';
import type { BrowserIdentity } from '@mlango/oracle-client/browser-identity';
import { type ReactNode, useCallback } from 'react';

interface AsUserProps {
  readonly user: Pick<BrowserIdentity, 'wallet' | 'createDelegation' | 'createInvocation'>;
  /** Error of payments: this user has no account on a chain. */
  readonly who?: string;
  readonly children: ReactNode;
}

/** Provides a user with a key of this browser: it signs tokens and has no account on a chain. */
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
