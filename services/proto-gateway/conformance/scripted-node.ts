import { NodeFailure } from '@mlango/grpc-channel';
import { toGrpcCode } from '@mlango/transcoder/grpc-status';
import type { ChainNode, NodeCall } from '../src/nodes/chain-node.js';

/** The answers of the node of a case. Without a script it echoes the request. */
export interface Script {
  readonly code?: number;
  readonly message?: string;
  readonly reply?: Uint8Array;
  readonly stream?: readonly Uint8Array[];
}

/** A node with scripted replies, which records the last call. */
export class ScriptedNode implements ChainNode {
  script: Script = {};
  lastCall: NodeCall | undefined;

  call(call: NodeCall): ReturnType<ChainNode['call']> {
    this.lastCall = call;
    const failure = this.#failure();
    if (failure !== undefined) return Promise.reject(failure);
    return Promise.resolve({ message: this.script.reply ?? call.request, headers: [], trailers: [] });
  }

  stream(call: NodeCall): ReturnType<ChainNode['stream']> {
    this.lastCall = call;
    return { headers: Promise.resolve([]), messages: this.#messages() };
  }

  close(): void {}

  async *#messages(): AsyncIterable<Uint8Array> {
    for (const message of this.script.stream ?? []) yield message;
    const failure = this.#failure();
    if (failure !== undefined) throw failure;
  }

  #failure(): NodeFailure | undefined {
    const { code = 0, message = '' } = this.script;
    return code === 0 ? undefined : new NodeFailure(toGrpcCode(code), message);
  }
}
