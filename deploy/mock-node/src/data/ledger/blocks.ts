import type { JsonObject } from '@bufbuild/protobuf';
import type { Block } from '../../chain-clock.js';
import { digest } from '../seeded.js';
import { validatorAddress } from './accounts.js';

/** The name of the chain, as its transactions are signed for it. */
export const CHAIN_ID = 'mlango-mock-1';

/** The id of a block: a hash, and that of its one part. */
export function blockId(height: number): JsonObject {
  return { hash: hash(`block ${height}`), part_set_header: { total: 1, hash: hash(`parts ${height}`) } };
}

/** A block with its transactions, each in base64. */
export function blockJson({ height, timeMs }: Block, txs: readonly string[]): JsonObject {
  const time = new Date(timeMs).toISOString();
  return {
    header: {
      version: { block: '11' },
      chain_id: CHAIN_ID,
      height: String(height),
      time,
      last_block_id: blockId(height - 1),
      last_commit_hash: hash(`commit ${height}`),
      data_hash: hash(`data ${height}`),
      validators_hash: digest('validators').toString('base64'),
      next_validators_hash: digest('validators').toString('base64'),
      consensus_hash: hash('consensus'),
      app_hash: hash(`state ${height}`),
      last_results_hash: hash(`results ${height}`),
      evidence_hash: hash('evidence'),
      proposer_address: digest(`valcons ${(height % 4) + 1}`)
        .subarray(0, 20)
        .toString('base64'),
    },
    data: { txs: [...txs] },
    evidence: { evidence: [] },
    last_commit: { height: String(height - 1), round: 0, block_id: blockId(height - 1), signatures: [] },
  };
}

/** A block as the SDK tells of it: its proposer by an address of the chain. */
export function sdkBlockJson(block: Block, txs: readonly string[]): JsonObject {
  const { header, ...rest } = blockJson(block, txs);
  return {
    ...rest,
    header: { ...(header as JsonObject), proposer_address: validatorAddress((block.height % 4) + 1, 'valcons') },
  };
}

function hash(label: string): string {
  return digest(label).toString('base64');
}
