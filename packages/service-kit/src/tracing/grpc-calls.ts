import type { ToldCalls } from './channel-spans.js';

/** As `@mlango/grpc-channel` tells it. */
interface GrpcCall {
  readonly path: string;
  readonly target: string;
  readonly metadata: [name: string, value: string | Uint8Array][];
}

export const grpcCalls: ToldCalls<GrpcCall> = {
  channel: 'mlango:grpc:call',
  describe: ({ path, target, metadata }) => {
    const method = path.slice(1);
    const [, host = target, port] = /^(.+):(\d+)$/.exec(target) ?? [];
    return {
      name: method,
      attributes: {
        'rpc.system.name': 'grpc',
        'rpc.method': method,
        'server.address': host,
        ...(port === undefined ? {} : { 'server.port': Number(port) }),
      },
      carry: (name, value) => {
        // A caller of ours may have had one passed on.
        const given = metadata.findIndex(([other]) => other === name);
        metadata.splice(given === -1 ? metadata.length : given, 1, [name, value]);
      },
    };
  },
  failureOf: (error) => {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    return typeof code === 'number' ? String(code) : '_OTHER';
  },
};
