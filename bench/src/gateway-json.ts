/**
 * What it costs to turn a reply of the chain into JSON: the gateway's compiled writers beside the same bytes decoded to
 * objects and written by @bufbuild/protobuf. In one process, in alternating rounds, the best of each.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fromBinary, toJson } from '@bufbuild/protobuf';
import { cosmosRest } from '@mlango/cosmos-rest';
import { leanChannel } from '@mlango/grpc-channel';
import { startMockNode } from '@mlango/mock-node/server';
import { createTranscoder } from '@mlango/transcoder';
import { readDescriptorImage } from '@mlango/transcoder/descriptor-image';
import { printTable } from './print-table.js';

const ROUNDS = 7;
const ROUND_MS = 250;

/** Replies of three sizes: the call, and the request in protobuf. */
const REPLIES = [
  { name: 'params', rpc: 'ixo.token.v1beta1.Query/Params', type: 'QueryParamsResponse', request: [] },
  {
    name: 'entity',
    rpc: 'ixo.entity.v1beta1.Query/Entity',
    type: 'QueryEntityResponse',
    request: [0x0a, 20, ...Buffer.from('did:ixo:entity:e0001')],
  },
  // A page of 100.
  {
    name: '100 claims',
    rpc: 'ixo.claims.v1beta1.Query/ClaimList',
    type: 'QueryClaimListResponse',
    request: [0x0a, 2, 0x18, 100],
  },
];

/** Microseconds of one run, over a whole round. */
function costUs(run: () => unknown): number {
  const end = process.hrtime.bigint() + BigInt(ROUND_MS) * 1_000_000n;
  const before = process.cpuUsage();
  let count = 0;
  while (process.hrtime.bigint() < end) {
    for (let time = 0; time < 20; time += 1) run();
    count += 20;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

const image = createRequire(import.meta.url).resolve('@mlango/proto/descriptor.binpb');
const registry = readDescriptorImage(readFileSync(image));
const transcoder = createTranscoder({ files: registry, ...cosmosRest(registry) });
const server = await startMockNode();
const node = leanChannel({ target: server.address, maxReceiveBytes: 16 * 1024 * 1024 });
try {
  const rows: string[][] = [];
  for (const { name, rpc, type, request } of REPLIES) {
    const desc = registry.getMessage(`${rpc.slice(0, rpc.indexOf('.Query/'))}.${type}`);
    if (desc === undefined) throw new Error(`no message ${type}`);
    const { message } = await node.unary(`/${rpc}`, Uint8Array.from(request));
    const write = transcoder.json(desc);
    const compiled: number[] = [];
    const library: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      compiled.push(costUs(() => Buffer.byteLength(write(message))));
      library.push(
        costUs(() => Buffer.byteLength(JSON.stringify(toJson(desc, fromBinary(desc, message), { registry })))),
      );
    }
    const [ours, theirs] = [Math.min(...compiled), Math.min(...library)];
    const sizes = [message.length, Buffer.byteLength(write(message))].map((bytes) => `${bytes} B`);
    const times = [ours, theirs].map((us) => `${us.toFixed(2)} µs`);
    rows.push([name, ...sizes, ...times, (ours / theirs).toFixed(2)]);
  }
  printTable(['reply', 'wire', 'JSON', 'compiled', '@bufbuild/protobuf', 'ratio'], rows);
} finally {
  node.close();
  await server.close();
}
