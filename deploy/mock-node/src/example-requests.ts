import type { JsonObject } from '@bufbuild/protobuf';
import { makeModules } from './modules/modules.js';
import { readDescriptors } from './reflection/descriptors.js';
import { bytesOf, requestJsonOf } from './serving/json-message.js';

/** A request with a reply for each method, such as `ixo.entity.v1beta1.Query/Entity`, in JSON without empty fields. */
export function exampleRequests(): Record<string, JsonObject> {
  const registry = readDescriptors();
  const found = Object.entries(makeModules({ registry })).flatMap(([name, queries]) =>
    Object.entries(queries).map(([rpc, { example }]) => {
      const input = registry.getService(name)?.methods.find((method) => method.name === rpc)?.input;
      if (input === undefined) throw new Error(`there is no rpc ${name}/${rpc}`);
      return [`${name}/${rpc}`, requestJsonOf(input, bytesOf(input, example, registry), registry)] as const;
    }),
  );
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}
