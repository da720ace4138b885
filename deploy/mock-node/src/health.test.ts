import { type Client, credentials, status } from '@grpc/grpc-js';
import { type HealthCheckResponse, HealthClient, HealthService } from '@mlango/proto/grpc/health/v1/health';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { call, connect, reply } from '../test/call.js';
import { type MockNode, startMockNode } from './server.js';

const SERVING = 1;
const NOT_SERVING = 2;
const SERVICE_UNKNOWN = 3;
let node: MockNode;
let client: Client;

beforeEach(async () => {
  node = await startMockNode();
  client = connect(node.address);
});

afterEach(async () => {
  client.close();
  await node.close();
});

function watch(service: string) {
  const seen: number[] = [];
  const ended = vi.fn<() => void>();
  const health = new HealthClient(node.address, credentials.createInsecure());
  const stream = health.watch({ service });
  stream.on('data', (answer: HealthCheckResponse) => seen.push(answer.status));
  stream.on('error', ended).on('end', ended);
  stream.on('close', () => health.close());
  return { seen, ended, cancel: () => stream.cancel() };
}

it('the server and each of its services can be checked', async () => {
  for (const service of ['', 'ixo.entity.v1beta1.Query', 'cosmos.base.node.v1beta1.Service']) {
    expect((await reply(client, HealthService.check, { service })).status).toBe(SERVING);
  }
  expect((await call(client, HealthService.check, { service: 'ixo.none' })).error?.code).toBe(status.NOT_FOUND);
});

it('a watch reports the current state and each change once', async () => {
  const { seen, cancel } = watch('ixo.claims.v1beta1.Query');
  await vi.waitFor(() => expect(seen).toEqual([SERVING]));
  node.setServing(false);
  node.setServing(false);
  await vi.waitFor(() => expect(seen).toEqual([SERVING, NOT_SERVING]));
  expect((await reply(client, HealthService.check, { service: '' })).status).toBe(NOT_SERVING);
  node.setServing(true);
  await vi.waitFor(() => expect(seen).toEqual([SERVING, NOT_SERVING, SERVING]));
  cancel();
});

it('a watch of an unknown service reports that and stays open', async () => {
  const { seen, ended, cancel } = watch('ixo.none');
  await vi.waitFor(() => expect(seen).toEqual([SERVICE_UNKNOWN]));
  node.setServing(false);
  await reply(client, HealthService.check, { service: '' });
  expect(seen).toEqual([SERVICE_UNKNOWN]);
  expect(ended).not.toHaveBeenCalled();
  cancel();
});

it('closing the node sends NOT_SERVING and ends watches', async () => {
  const { seen, ended } = watch('');
  await vi.waitFor(() => expect(seen).toEqual([SERVING]));
  await node.close();
  await vi.waitFor(() => expect(ended).toHaveBeenCalled());
  expect(seen).toEqual([SERVING, NOT_SERVING]);
});
