import { randomBytes } from 'node:crypto';
import { mintDelegation, mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { type PropsWithChildren, type ReactElement, StrictMode } from 'react';
import { type IMessage, type IOraclesProviderProps, OraclesProvider } from '../src/oracle-client.js';

export type User = Pick<
  IOraclesProviderProps,
  'initialWallet' | 'transactSignX' | 'createDelegation' | 'createInvocation'
>;

/** A user with an own key. */
export function newUser(): Required<User> & { readonly did: string } {
  const signer = signerFromSeed(randomBytes(32));
  const { did } = signer;
  const capabilities = [{ can: '*', with: 'ixo:oracle' }] as const;
  return {
    did,
    initialWallet: { address: did, did, matrix: { accessToken: '', homeServer: '' } },
    transactSignX: () => Promise.reject(new Error('no chain here')),
    createDelegation: async (audience) => ({
      serialized: await mintDelegation({ signer, audience, capabilities, lifetimeSeconds: 3_600 }),
      expiresAt: Date.now() + 3_600_000,
    }),
    createInvocation: async (audience) => ({
      serialized: await mintInvocation({ signer, audience }),
      expiresAt: Date.now() + 300_000,
    }),
  };
}

/** The provider around a user's components. */
export function pageOf({ createInvocation, ...user }: User, { isStrict = false } = {}) {
  const invocations = createInvocation === undefined ? {} : { createInvocation };
  return function Page({ children }: PropsWithChildren): ReactElement {
    const page = (
      <OraclesProvider {...user} {...invocations}>
        {children}
      </OraclesProvider>
    );
    return isStrict ? <StrictMode>{page}</StrictMode> : page;
  };
}

/** A message in one line: role and text, components in brackets. */
export function lineOf({ type, content }: IMessage): string {
  const parts = typeof content === 'string' ? [content] : content;
  const words = parts.map((part) => (typeof part === 'string' ? part : `[${part.name} ${part.status ?? ''}]`));
  return `${type}: ${words.join('')}`;
}
