import { Readiness } from '@mlango/service-kit/health';
import type { ChainNode } from './chain-node.js';
import { checkNode } from './node-health.js';
import { readNodeFacts } from './node-state.js';

/**
 * Readiness of a gateway: its node serves, and whatever else is to be checked. The report also shows the node's height and
 * the age of its last block.
 */
export function nodeReadiness(
  node: ChainNode,
  timeoutMs: number,
  others: Readonly<Record<string, () => Promise<void>>> = {},
): Readiness {
  return new Readiness(
    { node: () => checkNode(node, timeoutMs), ...others },
    { facts: { node: () => readNodeFacts(node, { timeoutMs, epochMs: Date.now }) } },
  );
}
