import type { JsonObject } from '@bufbuild/protobuf';
import { defaultAddresses } from './data/published-addresses.js';
import { servedModules } from './modules/served-modules.js';
import { readDescriptors } from './reflection/descriptors.js';
import { requestJsonOf } from './serving/json-message.js';
import { exampleOf } from './serving/unary.js';

/**
 * A request of each rpc that the node has an answer for, in JSON with names as declared and without what is empty, by the name of the
 * rpc: `ixo.entity.v1beta1.Query/Entity`.
 */
export function exampleRequests(): Record<string, JsonObject> {
  const registry = readDescriptors();
  const unasked = { clock: Date.now, earliestHeight: 1, raw: new WeakMap(), fault: () => undefined, onCall: () => {} };
  const found = servedModules(unasked, defaultAddresses, registry).flatMap(([service, implementation]) =>
    Object.entries(service).flatMap(([rpc, { path, requestSerialize }]) => {
      const served = implementation[rpc];
      const example = served && exampleOf(served);
      if (example === undefined) return [];
      const [, serviceName = '', method = ''] = path.split('/');
      const input = registry.getService(serviceName)?.methods.find(({ name }) => name === method)?.input;
      if (input === undefined) throw new Error(`there is no rpc ${path}`);
      return [[path.slice(1), requestJsonOf(input, requestSerialize(example), registry)] as const];
    }),
  );
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}
