import type { Flow } from '../engine/flow.js';
import type { FlowName } from '../engine/position.js';

/** The flow of this revision, else one of the same version: sessions can continue on it. */
export function findFlow(wanted: FlowName, flows: readonly Flow[]): Flow | undefined {
  let sameVersion: Flow | undefined;
  for (const flow of flows) {
    if (flow.id !== wanted.id || flow.version !== wanted.version) continue;
    if (flow.revision === wanted.revision) return flow;
    sameVersion ??= flow;
  }
  return sameVersion;
}
