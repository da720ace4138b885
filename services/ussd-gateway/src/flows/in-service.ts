import { assertFlow } from '../engine/check-flow.js';
import type { Facts, Flow } from '../engine/flow.js';
import { defaultFlow } from './default/flow.js';

/** Dials begin on the first; those after it are earlier versions, for the sessions that began on them. */
export type FlowsInService = readonly [Flow, ...Flow[]];

export const flowsInService: FlowsInService = [defaultFlow];

/** @throws {Error} if one is not sound, or if two are the same version of the same flow: sessions could not tell them apart. */
export function assertFlows(flows: readonly Flow[], facts: Facts): void {
  for (const flow of flows) assertFlow(flow, facts);
  const names = flows.map(({ id, version }) => `"${id}" version ${version}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Flow ${twice} is in service twice`);
}
