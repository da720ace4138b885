import {
  type ChannelCredentials,
  Client,
  credentials,
  Metadata,
  type MethodDefinition,
  type ServiceError,
} from '@grpc/grpc-js';
import { afterAll } from 'vitest';
import { type MockNode, type MockNodeOptions, startMockNode } from '../src/server.js';

/** The outcome of a call. */
export interface Outcome<Reply> {
  readonly error: ServiceError | undefined;
  readonly reply: Reply | undefined;
  /** Header metadata, keys and first values. */
  readonly header: Record<string, string | Buffer>;
  readonly trailer: Record<string, string | Buffer>;
}

/** A client of a node, for calls of any service. */
export function connect(address: string, channel: ChannelCredentials = credentials.createInsecure()): Client {
  return new Client(address, channel, {
    'grpc.max_receive_message_length': 16 * 2 ** 20,
    'grpc.ssl_target_name_override': 'localhost',
  });
}

/** Starts one node for all tests of a file, and a client of it; both are closed after the last test. */
export async function nodeOfFile(options?: MockNodeOptions): Promise<{ node: MockNode; client: Client }> {
  const node = await startMockNode(options);
  const client = connect(node.address);
  afterAll(async () => {
    client.close();
    await node.close();
  });
  return { node, client };
}

/** Sends a call and waits for all of its events. */
export function call<Request, Reply>(
  client: Client,
  method: MethodDefinition<Request, Reply>,
  request: Request,
  sent: Record<string, string | Buffer> = {},
): Promise<Outcome<Reply>> {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(sent)) metadata.set(key, value);
  return new Promise((resolve) => {
    let header: Outcome<Reply>['header'] = {};
    let answer: Pick<Outcome<Reply>, 'error' | 'reply'> = { error: undefined, reply: undefined };
    const { path, requestSerialize, responseDeserialize } = method;
    client
      .makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, (error, reply) => {
        answer = { error: error ?? undefined, reply };
      })
      .on('metadata', (received: Metadata) => {
        header = received.getMap();
      })
      .on('status', (status: { metadata: Metadata }) => {
        // The answer arrives in the same turn as the status, before or after it.
        setImmediate(() => resolve({ ...answer, header, trailer: status.metadata.getMap() }));
      });
  });
}

/** Sends a call that must succeed, and returns its reply. */
export async function reply<Request, Reply>(
  client: Client,
  method: MethodDefinition<Request, Reply>,
  request: Request,
): Promise<Reply> {
  const outcome = await call(client, method, request);
  if (outcome.error) throw outcome.error;
  if (outcome.reply === undefined) throw new Error('neither a reply nor an error');
  return outcome.reply;
}
