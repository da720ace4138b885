import { afterEach, describe, expect, it, vi } from 'vitest';
import { OracleCredentials } from './oracle-credentials.js';
import type { TokenCache } from './token-cache.js';
import type { IWallet } from './wallet.js';

afterEach(() => void vi.restoreAllMocks());

const headers = () => {
  const delegations = { get: async () => 'token' } as unknown as TokenCache;
  const wallet = { did: 'did:key:a', matrix: { accessToken: '', homeServer: '' } } as unknown as IWallet;
  return new OracleCredentials({ wallet, invocations: undefined, delegations }, 'did:key:o').headers();
};
const browserIn = (timeZone: string) => {
  const options = { ...Intl.DateTimeFormat().resolvedOptions(), timeZone };
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(options);
};

describe('the time zone of a request', () => {
  it.each(['Etc/Unknown', 'Mars/Olympus'])('is omitted if Intl does not know it: %s', async (timeZone) => {
    browserIn(timeZone);
    expect(await headers()).not.toHaveProperty('x-timezone');
  });

  it('is the one of the browser', async () => {
    browserIn('Africa/Nairobi');
    expect(await headers()).toMatchObject({ 'x-timezone': 'Africa/Nairobi' });
  });
});
