import { Readiness } from '@mlango/service-kit/health';
import type { ChainNode } from './chain-node.js';
import { checkNode } from './node-health.js';
import { readNodeFacts } from './node-state.js';

/** Readiness of a gateway: its node serves. The report also shows the node's height and the age of its last block. */
export function nodeReadiness(node: ChainNode, timeoutMs: number): Readiness {
  return new Readiness(
    { node: () => checkNode(node, timeoutMs) },
    { facts: { node: () => readNodeFacts(node, { timeoutMs, epochMs: Date.now }) } },
  );
}
