import { buildFlow } from '../flows/build-flow.js';
import type { FlowSet, Offered } from '../flows/read-flow.js';
import { loadTenants } from './read-tenants.js';

/**
 * Flow of the default tenant of a folder, with its earlier versions.
 *
 * @throws {Error} naming the problems.
 */
export function loadFlows(folder: string, { appName }: { appName: string }, offered?: Offered) {
  const service = loadTenants(folder, { appName, offered }).find(({ id }) => id === 'default');
  if (service === undefined) throw new Error(`${folder} has no default service`);
  const [first, ...earlier] = service.flows;
  const flows: FlowSet = [buildFlow(first).flow, ...earlier.map((source) => buildFlow(source).flow)];
  return flows;
}
