import type { FileRegistry } from '@bufbuild/protobuf';
import { Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js';
import { HealthService } from '@mlango/proto/grpc/health/v1/health';
import { ServerReflectionService } from '@mlango/proto/grpc/reflection/v1/reflection';
import type { Clock } from './chain-clock.js';
import { createHealth } from './health.js';
import { makeModules } from './modules/modules.js';
import type { PublishedAddresses } from './published-addresses.js';
import { readDescriptors } from './reflection/descriptors.js';
import { createReflection, ReflectionV1AlphaService } from './reflection/service.js';
import { type Fault, parseFault } from './serving/fault.js';
import { jsonServices } from './serving/json-service.js';
import type { QueryContext } from './serving/unary.js';

/** How a mock node is to run. */
export interface MockNodeOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default the machine's clock. */
  readonly clock?: Clock;
  /** Heights below it can't be queried. Default 1: all can. */
  readonly earliestHeight?: number;
  /** The addresses of the oracle and the query gateway, as published on the chain. Default: their ports on loopback. */
  readonly published?: PublishedAddresses;
  /** A folder of further fixtures, a URL that ends in `/`. */
  readonly fixtures?: URL;
  /** Descriptors of the services. Default: those of this build. */
  readonly registry?: FileRegistry;
  /** PEM texts. With `clientCa`, clients need a certificate it signed. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly clientCa?: string };
  /** How long `close` waits for calls under way. Default 2000. */
  readonly drainMs?: number;
}

/** A mock node that listens. */
export interface MockNode {
  /** `host:port`, as gRPC clients take it. */
  readonly address: string;
  readonly port: number;
  /** Changes the state of the health service. */
  setServing(serving: boolean): void;
  /** Makes every query fail in the given way, such as `status-14`, until it is called with undefined. */
  setFault(name: string | undefined): void;
  /** The number of calls of an rpc, by its path: `/ixo.entity.v1beta1.Query/Entity`. */
  callsOf(rpcPath: string): number;
  /** Ends watches, waits for calls under way, then cuts the remaining ones. */
  close(): Promise<void>;
}

/**
 * Starts a mock node.
 *
 * @throws Error with code EADDRINUSE for a taken port, or with another reason why it can't listen; Error that names file,
 * method and field for a fixture that does not fit its message types
 */
export async function startMockNode(options: MockNodeOptions = {}): Promise<MockNode> {
  const { host = '127.0.0.1', port = 0, drainMs = 2_000 } = options;
  const calls = new Map<string, number>();
  let fault: Fault | undefined;
  const context: QueryContext = {
    clock: options.clock ?? Date.now,
    earliestHeight: options.earliestHeight ?? 1,
    raw: new WeakMap(),
    fault: () => fault,
    onCall: (path) => calls.set(path, (calls.get(path) ?? 0) + 1),
  };
  const registry = options.registry ?? readDescriptors();
  const modules = jsonServices(context, registry, makeModules({ ...options, registry }));
  const names = modules.map(([service]) => nameOf(service));
  const health = createHealth(names);
  const standard = [HealthService, ServerReflectionService, ReflectionV1AlphaService].map((each) => nameOf(each));
  const reflection = createReflection(registry, [...names, ...standard]);

  const server = new Server({ 'grpc.max_send_message_length': -1 });
  for (const [service, implementation] of modules) server.addService(service, implementation);
  server.addService(HealthService, health.server);
  server.addService(ServerReflectionService, reflection);
  server.addService(ReflectionV1AlphaService, reflection);
  const boundPort = await bind(server, host, port, options.tls);

  return {
    address: addressOf(host, boundPort),
    port: boundPort,
    setServing: (serving) => health.setServing(serving),
    setFault(name) {
      fault = name === undefined ? undefined : parseFault(name);
      if (name !== undefined && !fault) throw new Error(`no such fault: ${name}`);
    },
    callsOf: (path) => calls.get(path) ?? 0,
    close() {
      health.close();
      return shutDown(server, drainMs);
    },
  };
}

function nameOf(service: ServiceDefinition): string {
  const path = Object.values(service)[0]?.path ?? '';
  return path.slice(1, path.lastIndexOf('/'));
}

/** `host:port`, with an IPv6 address in brackets. */
function addressOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function bind(server: Server, host: string, port: number, tls: MockNodeOptions['tls']): Promise<number> {
  const credentials = tls
    ? ServerCredentials.createSsl(
        tls.clientCa === undefined ? null : Buffer.from(tls.clientCa),
        [{ private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) }],
        tls.clientCa !== undefined,
      )
    : ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync(addressOf(host, port), credentials, (error, boundPort) => {
      if (!error) return resolve(boundPort);
      const taken = error.message.includes('EADDRINUSE');
      reject(taken ? Object.assign(new Error(`port ${port} on ${host} is taken`), { code: 'EADDRINUSE' }) : error);
    });
  });
}

function shutDown(server: Server, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.forceShutdown(), drainMs);
    server.tryShutdown(() => {
      clearTimeout(deadline);
      resolve();
    });
  });
}
