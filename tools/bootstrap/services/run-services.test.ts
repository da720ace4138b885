import { describe, expect, it } from 'vitest';
import { serviceEnv } from './run-services.mjs';
import { serviceTable } from './table.mjs';

describe('the environment of a service', () => {
  const root = '/repository';
  const env = { PROTO_PORT: '4002', LOG_LEVEL: 'debug' };
  const of = (name: string) => serviceEnv(name, { services: serviceTable(root), env, root });

  it('has its port and the settings of the caller, and no variable that the service does not know', () => {
    expect(of('proto-gateway')).toMatchObject({ PORT: '4002', LOG_LEVEL: 'debug', GRPC_TARGETS: '127.0.0.1:9090' });
    expect(of('proto-gateway')).not.toHaveProperty('PROTO_PORT');
    expect(of('oracle-api')).toMatchObject({ PORT: '3001', PROTO_GATEWAY_URL: 'http://127.0.0.1:4002' });
  });

  it('has the port of the mock node in the variable that the node reads', () => {
    expect(of('mock-node')).toMatchObject({ MOCK_NODE_PORT: '9090' });
  });
});
