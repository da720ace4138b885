import type { FileRegistry, JsonObject } from '@bufbuild/protobuf';
import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import type { Block } from '../chain-clock.js';
import { bytesOf, jsonOf } from './json-message.js';
import { withInvalidUtf8 } from './raw-reply.js';
import { type QueryContext, serveUnary } from './unary.js';

/** How one rpc is answered, in protobuf's JSON with names as declared: 64-bit integers and bytes are text. */
export interface JsonQuery {
  /** A request it has an answer for. */
  readonly example: JsonObject;
  /** @throws StatusError for an answer that is a status */
  answer(request: JsonObject, block: Block): JsonObject;
}

/** The rpcs of services by their names; what is left out is UNIMPLEMENTED. */
export type JsonServices = Readonly<Record<string, Readonly<Record<string, JsonQuery>>>>;

/** The server side of services that are known by their descriptors alone. */
export function jsonServices(
  context: QueryContext,
  registry: FileRegistry,
  services: JsonServices,
): [ServiceDefinition, UntypedServiceImplementation][] {
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
          responseSerialize: (reply: JsonObject) => withInvalidUtf8(bytesOf(output, reply, registry)),
          responseDeserialize: (bytes: Buffer) => jsonOf(output, bytes, registry),
        },
      ]),
    );
    const implementation = Object.entries(queries).map(([rpc, query]) => {
      if (definition[rpc] === undefined) throw new Error(`there is no rpc ${name}/${rpc}`);
      return [rpc, serveUnary<JsonObject, JsonObject>(context, query)];
    });
    return [definition, Object.fromEntries(implementation)];
  });
}

/** The text of a field, empty for one that is not there. */
export function textOf(request: JsonObject, name: string): string {
  const value = request[name];
  return typeof value === 'string' ? value : '';
}
