import type { FileRegistry, JsonObject } from '@bufbuild/protobuf';
import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { bytesOf, jsonOf } from './json-message.js';
import { withInvalidUtf8 } from './raw-reply.js';
import { type JsonQuery, type QueryContext, serveUnary } from './unary.js';

/** Methods of services by name; an absent method is UNIMPLEMENTED. */
export type JsonServices = Readonly<Record<string, Readonly<Record<string, JsonQuery>>>>;

/** Larger replies are encoded each time. */
const REMEMBERED_BYTES = 256 * 1024;

/** The server side of services, by their descriptors. */
export function jsonServices(
  context: QueryContext,
  registry: FileRegistry,
  services: JsonServices,
): [ServiceDefinition, UntypedServiceImplementation][] {
  const encoded = new WeakMap<JsonObject, Buffer>();
  return Object.entries(services).map(([name, queries]) => {
    const service = registry.getService(name);
    if (service === undefined) throw new Error(`there is no service ${name}`);
    const definition = Object.fromEntries(
      service.methods.map(({ name: rpc, input, output }) => [
        rpc,
        {
          path: `/${name}/${rpc}`,
          requestStream: false,
          responseStream: false,
          requestSerialize: (request: JsonObject) => bytesOf(input, request, registry),
          requestDeserialize: (bytes: Buffer) => jsonOf(input, bytes, registry),
          responseSerialize(reply: JsonObject) {
            const known = context.raw.get(reply) ?? encoded.get(reply);
            const bytes = known ?? withInvalidUtf8(bytesOf(output, reply, registry));
            if (bytes.length <= REMEMBERED_BYTES) encoded.set(reply, bytes);
            return bytes;
          },
          responseDeserialize: (bytes: Buffer) => jsonOf(output, bytes, registry),
        },
      ]),
    );
    const implementation = Object.entries(queries).map(([rpc, query]) => {
      if (definition[rpc] === undefined) throw new Error(`there is no rpc ${name}/${rpc}`);
      return [rpc, serveUnary(context, query)];
    });
    return [definition, Object.fromEntries(implementation)];
  });
}
