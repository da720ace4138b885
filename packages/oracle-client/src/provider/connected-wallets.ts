import type { IWallet } from './wallet.js';

/** Outside of a provider there is no user. Clients of this protocol know the text. */
export const outsideOfProvider = 'useOraclesContext must be used within a OraclesProvider';

// Not in a context: functions that are no hooks are called without one.
const connected: IWallet[] = [];

/** Lets a wallet be found by functions that are no hooks, until what is returned is called. */
export function connectWallet(wallet: IWallet): () => void {
  connected.push(wallet);
  return () => void connected.splice(connected.indexOf(wallet), 1);
}

/** The wallet of the provider that is mounted; of several, the last. Throws when there is none. */
export function connectedWallet(): IWallet {
  const wallet = connected.at(-1);
  if (wallet === undefined) throw new Error(outsideOfProvider);
  return wallet;
}
