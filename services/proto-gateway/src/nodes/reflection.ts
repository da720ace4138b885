import { NodeFailure } from '@mlango/grpc-channel';
import { ServerReflectionRequest, ServerReflectionResponse } from '@mlango/proto/grpc/reflection/v1/reflection';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import type { ChainNode } from './chain-node.js';

type ReflectionQuery = NonNullable<ServerReflectionRequest['message_request']>;
type Answer = NonNullable<ServerReflectionResponse['message_response']>;

/** A node's reflection service, one request at a time. */
export interface Reflection {
  /** Full names of the services of the node. */
  services(): Promise<readonly string[]>;
  /** Serialised `FileDescriptorProto`s: the file that declares a symbol, and perhaps its imports; empty if unknown. */
  filesOfSymbol(symbol: string): Promise<readonly Uint8Array[]>;
  /** The same for a file by its name. */
  filesByName(name: string): Promise<readonly Uint8Array[]>;
}

/** The current name of the service and the older one; their messages are the same. */
const METHODS = [
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
] as const;

/** Attempts per request, for a pool with unreachable nodes. */
const ATTEMPTS = 4;

/**
 * A client of grpc.reflection, v1 or v1alpha. Each request has its own stream, so that any node of a pool can serve it. Rejects
 * with a `NodeFailure` if the node is unreachable, lacks the service or violates the protocol.
 */
export function reflectionOf(node: ChainNode, options: { readonly timeoutMs: number }): Reflection {
  let method: string | undefined;

  async function send(query: ReflectionQuery): Promise<Answer> {
    if (method !== undefined) return sendAs(method, query);
    for (const name of METHODS) {
      try {
        const answer = await sendAs(name, query);
        method = name;
        return answer;
      } catch (failure) {
        if (!(failure instanceof NodeFailure) || failure.code !== GRPC_CODES.unimplemented) throw failure;
      }
    }
    throw new NodeFailure(GRPC_CODES.unimplemented, 'the node does not serve reflection');
  }

  /** The pool gives each stream to the next node, so an unreachable node is skipped. */
  async function sendAs(path: string, query: ReflectionQuery, attempts = ATTEMPTS): Promise<Answer> {
    try {
      return await sendOnce(path, query);
    } catch (failure) {
      const isUnavailable = failure instanceof NodeFailure && failure.code === GRPC_CODES.unavailable;
      if (!isUnavailable || attempts <= 1) throw failure;
      return sendAs(path, query, attempts - 1);
    }
  }

  async function sendOnce(path: string, query: ReflectionQuery): Promise<Answer> {
    const request = ServerReflectionRequest.encode({ host: '', message_request: query }).finish();
    const { signal } = new AbortController();
    const { messages } = node.stream({ path, request, metadata: [], timeoutMs: options.timeoutMs, signal });
    for await (const bytes of messages) {
      const answer = ServerReflectionResponse.decode(bytes).message_response;
      if (answer !== undefined) return answer;
    }
    throw new NodeFailure(GRPC_CODES.internal, 'the node did not answer a reflection request');
  }

  async function files(query: ReflectionQuery): Promise<readonly Uint8Array[]> {
    const answer = await send(query);
    return answer.$case === 'file_descriptor_response' ? answer.value.file_descriptor_proto : [];
  }

  return {
    async services() {
      const answer = await send({ $case: 'list_services', value: '' });
      return answer.$case === 'list_services_response' ? answer.value.service.map(({ name }) => name) : [];
    },
    filesOfSymbol: (value) => files({ $case: 'file_containing_symbol', value }),
    filesByName: (value) => files({ $case: 'file_by_filename', value }),
  };
}
