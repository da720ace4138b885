import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { type Block, blockAt } from '../chain-clock.js';
import { labelFunctions } from '../fixtures/labels.js';
import { digest } from '../fixtures/seeded.js';
import { textAt } from '../fixtures/template.js';
import type { JsonServices } from '../serving/json-service.js';
import type { JsonQuery } from '../serving/unary.js';
import { StatusError } from '../status-error.js';
import type { Mempool } from './mempool.js';

const CHAIN_ID = 'mlango-mock-1';

/**
 * Queries for blocks and for the state of the node.
 *
 * @param validators the query for the validators of the last block
 */
export function blockServices(mempool: Mempool, earliestHeight: number, validators: JsonQuery): JsonServices {
  return {
    'cosmos.base.node.v1beta1.Service': {
      Status: {
        example: {},
        answer: (_, { height, timeMs }) => ({
          earliest_store_height: String(earliestHeight),
          height: String(height),
          timestamp: new Date(timeMs).toISOString(),
          app_hash: hash(`state ${height}`),
          validator_hash: hash('validators'),
        }),
      },
    },
    'cosmos.base.tendermint.v1beta1.Service': {
      GetLatestBlock: { example: {}, answer: (_, block) => blockReply(block, mempool) },
      GetBlockByHeight: {
        example: { height: '1' },
        answer: (request, latest) => blockReply(requestedBlock(request, latest), mempool),
      },
      GetValidatorSetByHeight: {
        example: { height: '1' },
        answer: (request, latest) => validators.answer(request, requestedBlock(request, latest)),
      },
    },
  };
}

/** The block that a request names by its height. */
export function requestedBlock(request: JsonObject, latest: Block): Block {
  const height = Number(textAt(request, 'height'));
  if (height > latest.height) {
    throw new StatusError(status.INVALID_ARGUMENT, 'requested block height is bigger then the chain length');
  }
  return blockAt(Math.max(1, height));
}

/** A block: `block` with the proposer's key hash, `sdk_block` with its address. */
export function blockReply({ height, timeMs }: Block, mempool: Mempool) {
  const txs = mempool.at(height).map(({ bytes }) => bytes.toString('base64'));
  const proposer = (height % 4) + 1;
  const header: JsonObject = {
    version: { block: '11' },
    chain_id: CHAIN_ID,
    height: String(height),
    time: new Date(timeMs).toISOString(),
    last_block_id: blockId(height - 1),
    last_commit_hash: hash(`commit ${height}`),
    data_hash: hash(`data ${height}`),
    validators_hash: hash('validators'),
    next_validators_hash: hash('validators'),
    consensus_hash: hash('consensus'),
    app_hash: hash(`state ${height}`),
    last_results_hash: hash(`results ${height}`),
    evidence_hash: hash('evidence'),
  };
  const rest: JsonObject = {
    data: { txs },
    evidence: { evidence: [] },
    last_commit: { height: String(height - 1), round: 0, block_id: blockId(height - 1), signatures: [] },
  };
  const key = digest(`valcons ${proposer}`).subarray(0, 20).toString('base64');
  return {
    block_id: blockId(height),
    block: { ...rest, header: { ...header, proposer_address: key } },
    sdk_block: {
      ...rest,
      header: { ...header, proposer_address: labelFunctions['valcons']?.(String(proposer)) ?? '' },
    },
  };
}

function blockId(height: number): JsonObject {
  return { hash: hash(`block ${height}`), part_set_header: { total: 1, hash: hash(`parts ${height}`) } };
}

function hash(label: string): string {
  return digest(label).toString('base64');
}
