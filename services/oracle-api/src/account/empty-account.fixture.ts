import { signerFromSeed } from '@mlango/ucan-auth/minting';
import { type Account, signReceipt } from './account.js';
import { zipFiles } from './export-archive.js';

async function* noFiles(): AsyncGenerator<never, void> {}

/** An account service for users without data. */
export const emptyAccount: Pick<Account, 'export' | 'delete'> = {
  export: () => zipFiles(noFiles()),
  delete: async (did) => {
    const deletion = { id: 'receipt', did, oracleDid: 'did:key:oracle', deletedAt: new Date(0), deleted: {}, kept: [] };
    return signReceipt(deletion, signerFromSeed(Buffer.alloc(32, 'o')));
  },
};
