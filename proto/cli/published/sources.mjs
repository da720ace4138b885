// What is taken from the package of published definitions. A file brings those it refers to.

/** The package: the Cosmos SDK 0.50, IBC and CosmWasm with their HTTP rules and field options. See docs/adr/0030 */
export const PACKAGE = '@injectivelabs/core-proto-ts-v2';

/** Files by path, without `.proto`. Messages of transactions are there for what accounts, proposals and grants hold in an Any. */
export const FILES = [
  ...modules('cosmos/auth/v1beta1', 'auth', 'query', 'tx'),
  ...modules('cosmos/authz/v1beta1', 'authz', 'query', 'tx'),
  ...modules('cosmos/bank/v1beta1', 'authz', 'query', 'tx'),
  ...modules('cosmos/base/tendermint/v1beta1', 'query'),
  ...modules('cosmos/consensus/v1', 'query', 'tx'),
  ...modules('cosmos/crypto/ed25519', 'keys'),
  ...modules('cosmos/crypto/multisig', 'keys'),
  ...modules('cosmos/crypto/secp256k1', 'keys'),
  ...modules('cosmos/crypto/secp256r1', 'keys'),
  ...modules('cosmos/distribution/v1beta1', 'distribution', 'query', 'tx'),
  ...modules('cosmos/evidence/v1beta1', 'evidence', 'query', 'tx'),
  ...modules('cosmos/feegrant/v1beta1', 'feegrant', 'query', 'tx'),
  ...modules('cosmos/gov/v1', 'query', 'tx'),
  ...modules('cosmos/gov/v1beta1', 'gov', 'query', 'tx'),
  ...modules('cosmos/mint/v1beta1', 'query', 'tx'),
  ...modules('cosmos/params/v1beta1', 'params', 'query'),
  ...modules('cosmos/slashing/v1beta1', 'query', 'tx'),
  ...modules('cosmos/staking/v1beta1', 'authz', 'query', 'tx'),
  ...modules('cosmos/tx/v1beta1', 'service'),
  ...modules('cosmos/upgrade/v1beta1', 'upgrade', 'query', 'tx'),
  ...modules('cosmos/vesting/v1beta1', 'vesting', 'tx'),
  ...modules('cosmwasm/wasm/v1', 'authz', 'proposal_legacy', 'query', 'tx'),
  ...modules('ibc/applications/transfer/v1', 'authz', 'query', 'tx'),
  ...modules('ibc/core/channel/v1', 'query', 'tx'),
  ...modules('ibc/core/client/v1', 'query', 'tx'),
  ...modules('ibc/core/connection/v1', 'query', 'tx'),
  ...modules('ibc/lightclients/tendermint/v1', 'tendermint'),
];

/** Fields, rpcs and messages that only the chain of the package's makers has. */
export const FOREIGN = new Set([
  'cosmos.bank.v1beta1.Metadata.decimals',
  'cosmos.staking.v1beta1.Query.AllowedDelegationTransferReceivers',
  'cosmos.staking.v1beta1.QueryAllowedDelegationTransferReceiversRequest',
  'cosmos.staking.v1beta1.QueryAllowedDelegationTransferReceiversResponse',
]);

function modules(folder, ...files) {
  return files.map((file) => `${folder}/${file}`);
}
