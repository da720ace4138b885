import { type ServerWritableStream, status } from '@grpc/grpc-js';
import {
  type HealthCheckRequest,
  type HealthCheckResponse,
  type HealthServer,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@mlango/proto/grpc/health/v1/health';

type Watcher = ServerWritableStream<HealthCheckRequest, HealthCheckResponse>;

/** The health of a server and of its services, which share one state here. */
export interface Health {
  readonly server: HealthServer;
  /** Changes the state and notifies all watchers. */
  setServing(serving: boolean): void;
  /** Sends NOT_SERVING for the last time and ends all watches. */
  close(): void;
}

/** @param services full names of the services; the empty one, for the server as a whole, is added */
export function createHealth(services: readonly string[]): Health {
  const known = new Set(['', ...services]);
  const watchers = new Set<Watcher>();
  let current: ServingStatus = ServingStatus.SERVING;
  const statusOf = (service: string) => (known.has(service) ? current : ServingStatus.SERVICE_UNKNOWN);
  const setServing = (serving: boolean) => {
    const next = serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    if (next === current) return;
    current = next;
    for (const watcher of watchers) {
      if (known.has(watcher.request.service)) watcher.write({ status: current });
    }
  };
  return {
    server: {
      check(call, callback) {
        if (known.has(call.request.service)) callback(null, { status: current });
        else callback({ code: status.NOT_FOUND, details: 'unknown service' });
      },
      watch(call) {
        watchers.add(call);
        call.once('cancelled', () => watchers.delete(call));
        call.write({ status: statusOf(call.request.service) });
      },
    },
    setServing,
    close() {
      setServing(false);
      for (const watcher of watchers) watcher.end();
      watchers.clear();
    },
  };
}
