import { useMutation, useQuery } from '@tanstack/react-query';
import { entityQuery, resourceQuery } from '../api/chain/entity-queries.js';
import { type OraclePrice, pricesOf } from '../api/chain/oracle-price.js';
import { approveClaim, type Coin } from '../api/contracting/chain-message.js';
import { type ContractTerms, contractMessages, termsOf } from '../api/contracting/contract.js';
import { useOraclesContext, useOraclesRuntime } from './oracles-context.js';

export interface IContractOracleParams {
  readonly oracleDid: string;
  /** Maximum amount that the oracle may take. Default: its price, once. */
  readonly maxAmount?: { readonly amount: number | string; readonly denom: string };
  /** For `payClaim`: the collection of the claim, and the account of the entity that it belongs to. */
  readonly userClaimCollectionId?: string;
  readonly adminAddress?: string;
  readonly claimId?: string;
}

export interface ContractOptions {
  /** How long the grants hold, in days. Default 30. */
  readonly expirationDays?: number;
  /** Types of messages that the oracle may send in the user's name without a limit. Default: none. */
  readonly permissions?: readonly string[];
  /** Pay the oracle's price at once. Default: false. */
  readonly payFee?: boolean;
}

export interface IContractOracle {
  /**
   * Requests one transaction from the wallet: grants and, if requested, the fee. Rejects if there is nothing to grant, and with
   * the wallet's error.
   */
  readonly contractOracle: (options?: ContractOptions & Partial<IContractOracleParams>) => Promise<unknown>;
  readonly isContractingOracle: boolean;
  /** Approves a claim, so that the chain pays it: by its id, or with other parameters. Default: the claim of the parameters. */
  readonly payClaim: (claim?: string | Partial<IContractOracleParams>) => Promise<unknown>;
  readonly isPayingClaim: boolean;
  readonly pricingList: readonly OraclePrice[];
  readonly isLoadingPricingList: boolean;
  /** Permissions that the oracle requires. */
  readonly authzConfig: ContractTerms | undefined;
  readonly isLoadingAuthzConfig: boolean;
  readonly error: Error | null;
}

export interface ContractHookOptions {
  readonly params?: Partial<IContractOracleParams>;
}

const dayMs = 86_400_000;

/**
 * Grants an oracle the permissions it needs to be paid, and pays it, by transactions that the provider's `transactSignX` signs.
 * The oracle's terms are read from its entity: account and permissions from `#orz`, prices from `#fee`; without `#orz` the
 * account is the entity's `admin`. Parameters may also be set with each request: without them nothing is read before. Throws
 * outside of an `OraclesProvider`.
 */
export function useContractOracle({ params = {} }: ContractHookOptions = {}): IContractOracle {
  const { gatewayUrl, wallet, transactSignX } = useOraclesContext();
  const { queryClient } = useOraclesRuntime();
  const entity = useQuery(entityQuery(gatewayUrl, params.oracleDid ?? ''), queryClient);
  const orz = useQuery(resourceQuery(entity.data, 'orz', wallet), queryClient);
  const fee = useQuery(resourceQuery(entity.data, 'fee', wallet), queryClient);

  /** Read by now, or read now. */
  async function offer(oracleDid: string): Promise<{ terms: ContractTerms; price: Coin | undefined }> {
    if (oracleDid === '') throw new Error('Name the oracle: give its `oracleDid`');
    const ofOracle = entityQuery(gatewayUrl, oracleDid);
    if (!ofOracle.enabled) throw new Error('The provider needs a `gatewayUrl` to read the terms of the oracle');
    const read = await queryClient.fetchQuery(ofOracle);
    const terms = termsOf(await queryClient.fetchQuery(resourceQuery(read, 'orz', wallet)));
    const [price] = pricesOf(await queryClient.fetchQuery(resourceQuery(read, 'fee', wallet)));
    const granteeAddress = terms?.granteeAddress ?? read.accounts['admin'];
    if (granteeAddress === undefined) throw new Error('The oracle has no account that could be granted anything');
    const named = terms ?? { granteeAddress, oracleName: '', requiredPermissions: [] };
    return { terms: named, price: price && { denom: price.denom, amount: price.amount } };
  }

  const contracting = useMutation(
    {
      mutationFn: async (options: ContractOptions & Partial<IContractOracleParams>) => {
        const { expirationDays = 30, permissions = [], payFee = false, oracleDid = '', maxAmount } = options;
        const { terms, price } = await offer(oracleDid);
        const limit = maxAmount ? { denom: maxAmount.denom, amount: String(maxAmount.amount) } : price;
        const messages = contractMessages({
          granter: wallet.address,
          grantee: terms.granteeAddress,
          expiresAt: new Date(Date.now() + expirationDays * dayMs),
          spendLimit: limit ? [limit] : [],
          requiredPermissions: terms.requiredPermissions,
          allowedPermissions: permissions,
          fee: payFee && price ? [price] : [],
        });
        if (messages.length === 0) throw new Error('There is nothing to grant: give `maxAmount`, or publish a price');
        return transactSignX(messages, `Contract ${terms.oracleName || oracleDid}`);
      },
    },
    queryClient,
  );
  const paying = useMutation(
    {
      mutationFn: async ({
        claimId,
        userClaimCollectionId: collectionId,
        adminAddress,
      }: Partial<IContractOracleParams>) => {
        if (claimId === undefined || collectionId === undefined || adminAddress === undefined) {
          throw new Error('A claim is paid by its id, `userClaimCollectionId` and `adminAddress`');
        }
        const { address, did } = wallet;
        const message = approveClaim({ claimId, collectionId, adminAddress, payerAddress: address, payerDid: did });
        return transactSignX([message], `Approve claim ${claimId}`);
      },
    },
    queryClient,
  );

  return {
    contractOracle: (options = {}) => contracting.mutateAsync({ ...params, ...options }),
    isContractingOracle: contracting.isPending,
    payClaim: (claim) => paying.mutateAsync({ ...params, ...(typeof claim === 'string' ? { claimId: claim } : claim) }),
    isPayingClaim: paying.isPending,
    pricingList: pricesOf(fee.data),
    isLoadingPricingList: entity.isLoading || fee.isLoading,
    authzConfig: termsOf(orz.data),
    isLoadingAuthzConfig: entity.isLoading || orz.isLoading,
    error: contracting.error ?? paying.error ?? entity.error,
  };
}
