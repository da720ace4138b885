import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { type Block, blockAt } from '../../chain-clock.js';
import { validatorAddress } from '../../data/ledger/accounts.js';
import { blockId, blockJson, CHAIN_ID, sdkBlockJson } from '../../data/ledger/blocks.js';
import type { Ledger } from '../../data/ledger/ledger.js';
import type { Mempool } from '../../data/ledger/mempool.js';
import { consensusKey } from '../../data/ledger/validators.js';
import { jsonPage } from '../../serving/json-page.js';
import { type JsonServices, textOf } from '../../serving/json-service.js';
import { StatusError } from '../../status-error.js';
import { table } from '../../table.js';

/** What every wallet asks first: which chain this is, whether the node has caught up, and the last block. */
export function tendermintService({ validators }: Ledger, mempool: Mempool): JsonServices {
  const set = table(
    [1, 2, 3, 4].map((number): JsonObject => {
      const tokens = validators.get(validatorAddress(number, 'valoper'))?.tokens ?? 0n;
      return {
        address: validatorAddress(number, 'valcons'),
        pub_key: consensusKey(number),
        voting_power: String(tokens / 1_000_000n),
        proposer_priority: '0',
      };
    }),
    (validator) => textOf(validator, 'address'),
  );
  const tell = (block: Block) => {
    const txs = mempool.at(block.height).map(({ bytes }) => bytes.toString('base64'));
    return { block_id: blockId(block.height), block: blockJson(block, txs), sdk_block: sdkBlockJson(block, txs) };
  };
  return {
    'cosmos.base.tendermint.v1beta1.Service': {
      GetNodeInfo: {
        example: {},
        answer: () => ({
          default_node_info: {
            protocol_version: { p2p: '8', block: '11', app: '0' },
            default_node_id: '0123456789abcdef0123456789abcdef01234567',
            listen_addr: 'tcp://0.0.0.0:26656',
            network: CHAIN_ID,
            version: '0.38.12',
            channels: Buffer.from('40202122233038606100', 'hex').toString('base64'),
            moniker: 'mock-node',
            other: { tx_index: 'on', rpc_address: 'tcp://127.0.0.1:26657' },
          },
          application_version: {
            name: 'ixo',
            app_name: 'ixod',
            version: '8.0.0',
            git_commit: 'mock',
            go_version: 'go version go1.22.2 linux/amd64',
            build_deps: [{ path: 'github.com/cosmos/cosmos-sdk', version: 'v0.50.10' }],
            cosmos_sdk_version: 'v0.50.10',
          },
        }),
      },
      GetSyncing: { example: {}, answer: () => ({ syncing: false }) },
      GetLatestBlock: { example: {}, answer: (_, block) => tell(block) },
      GetBlockByHeight: { example: { height: '1' }, answer: (request, latest) => tell(knownBlock(request, latest)) },
      GetLatestValidatorSet: {
        example: {},
        answer: (request, block) => ({ block_height: String(block.height), ...jsonPage('validators', set, request) }),
      },
      GetValidatorSetByHeight: {
        example: { height: '1' },
        answer: (request, latest) => {
          const { height } = knownBlock(request, latest);
          return { block_height: String(height), ...jsonPage('validators', set, request) };
        },
      },
    },
  };
}

/** The block a request names by its height. */
export function knownBlock(request: JsonObject, latest: Block): Block {
  const height = Number(textOf(request, 'height'));
  if (height > latest.height) {
    throw new StatusError(status.INVALID_ARGUMENT, 'requested block height is bigger then the chain length');
  }
  return blockAt(Math.max(1, height));
}
