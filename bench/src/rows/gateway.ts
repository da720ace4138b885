import { type Load, load } from '../load.js';
import { Pairs } from '../measure.js';
import { type Child, residentMb, startAnnouncedChild } from '../process.js';
import { benchFile, startBareRoutes, startNode, startService } from '../services.js';
import { counted, type Line, type Row, type RowGroup, ratioLine, valueLine } from './row.js';

const queries = {
  params: { path: '/proto/token/params?', amount: 1500, goal: 3.2 },
  entity: { path: '/proto/entity/did:ixo:entity:e0001?', amount: 1000, goal: 4.9 },
  claims: { path: '/proto/claims/claims?pagination.limit=100&', amount: 300, goal: 4.6 },
} as const;
type QueryName = keyof typeof queries;

const few = 16;
const many = 128;
/** How much more a query may cost with 128 callers. */
const crowdFactor = 1.15;
const idleMb = 150;
/** The value of GRPC_CHANNEL that selects grpc-js. */
const grpcJsChannel = 'grpc-js';

const names = (Object.keys(queries) as QueryName[]).flatMap((query) => [`${query}-${few}`, `${query}-${many}`]);

/** Queries of the gateway compared with a bare route, and the same with the channel of grpc-js. */
export const gatewayRows: RowGroup = {
  names: ['memory-gateway', ...names],
  open: async ({ placementOf }) => {
    const chain = await startNode();
    const startPreparedNode = (server: string) =>
      startAnnouncedChild(benchFile('prepared-node/main.js'), {
        NODE_TARGET: new URL(chain.url).host,
        NODE_SERVER: server,
      });
    const node = await startPreparedNode('fast');
    const http2Node = await startPreparedNode('http2');
    const profiled = names.find((name) => placementOf(name).wrapper !== undefined) ?? names[0] ?? '';
    const gateway = await startService(
      'proto-gateway',
      { GRPC_TARGETS: new URL(node.url).host },
      placementOf(profiled),
    );
    const grpcJs = { GRPC_CHANNEL: grpcJsChannel, GRPC_TARGETS: new URL(http2Node.url).host };
    const peer = await startService('proto-gateway', grpcJs, placementOf(''));
    const replies: Record<string, string> = {};
    for (const [name, { path }] of Object.entries(queries)) {
      replies[name] = await (await fetch(`${gateway.url}${path}`)).text();
    }
    const bare = await startBareRoutes({ get: replies }, placementOf(''));
    const idle = residentMb(gateway.pid);
    const measureWith = (name: QueryName, callers: number) => {
      const slice = (target: Child, nextPath: () => string) => () => send(target, name, callers, nextPath);
      return (service: Child) =>
        Pairs.play(
          slice(service, () => uniquePath(name)),
          slice(bare, () => `/${name}`),
        );
    };
    const rowOf = (name: QueryName, callers: number): Row => ({
      measure: async () => {
        const play = measureWith(name, callers);
        const own = await play(gateway);
        const goal = queries[name].goal * (callers === few ? 1 : crowdFactor);
        const title = `${name}, ${callers} at once`;
        const p99 = own.median(({ service, floor }) => service.p99Ms / floor.p99Ms);
        const p99Ms = own.median(({ service }) => service.p99Ms).figure;
        const lines: Line[] = [
          ratioLine(title, `${own.cpuUs.toFixed(0)} µs`, own.ratio, goal),
          { name: `${title}, p99`, figure: `${p99Ms.toFixed(1)} ms`, ratio: p99.figure, isSettled: p99.isSettled },
        ];
        if (callers !== few) return lines;
        return [...lines, peerLine(`${title}, with grpc-js`, await play(peer))];
      },
      profile: { service: gateway, work: () => send(gateway, name, callers, () => uniquePath(name), 20) },
    });
    const memory: Row = {
      measure: async () => [valueLine('idle memory, query gateway', counted(idle), idleMb, { unit: 'MB' })],
    };
    return {
      rows: {
        'memory-gateway': memory,
        ...Object.fromEntries(
          (Object.keys(queries) as QueryName[]).flatMap((name) =>
            [few, many].map((callers) => [`${name}-${callers}`, rowOf(name, callers)]),
          ),
        ),
      },
      close: async () => {
        await Promise.all([gateway.stop(), peer.stop(), bare.stop()]);
        await Promise.all([node.stop(), http2Node.stop()]);
        await chain.stop();
      },
    };
  },
};

let height = 0;

/** Each query names another height, so that no two are shared or cached. */
function uniquePath(name: QueryName): string {
  return `${queries[name].path}height=${++height}`;
}

function send(target: Child, name: QueryName, callers: number, nextPath: () => string, factor = 1): Promise<Load> {
  const amount = Math.max(queries[name].amount, callers * 4) * factor;
  return load(target, {
    connections: callers,
    amount,
    requestsOf: function* () {
      for (;;) yield { path: nextPath() };
    },
  });
}

function peerLine(name: string, { cpuUs, ratio }: Pairs<Load>): Line {
  return { name, figure: `${cpuUs.toFixed(0)} µs`, ratio: ratio.figure, isSettled: ratio.isSettled };
}
