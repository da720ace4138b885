import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { type Channel, NodeFailure } from '@mlango/grpc-channel';
import { BlockFeed } from '../../src/watch/block-feed.js';

/** Field 1 of the params of tokens: the value of the test chain at a block. */
function paramsOf(code: number): Uint8Array {
  return Uint8Array.of(10, 2, 8, code);
}

/** A reply with an entity with this id. */
function entityOf(id: string): Uint8Array {
  const field = (bytes: Uint8Array) => new BinaryWriter().uint32(10).bytes(bytes).finish();
  return field(field(Buffer.from(id)));
}

/** The node info of a node, with or without a chain id. */
function nodeInfoOf(chainId = ''): Uint8Array {
  const network = new BinaryWriter().uint32(34).string(chainId).finish();
  return new BinaryWriter().uint32(10).bytes(network).finish();
}

/** A chain that makes a block when the test calls for one, with one node. */
export function drivenChain(chainId?: string) {
  const blocks = new BlockFeed();
  const node0 = {};
  const requested: { readonly path: string; readonly height: number }[] = [];
  const codes = new Map<number, number>();
  let height = 100;
  let failWith: NodeFailure | undefined;
  let earliest = 1;
  let wide = 0;
  let gate: Promise<void> = Promise.resolve();
  codes.set(height, 1);

  const channel: Channel = {
    async unary(path, _request, options) {
      const at = Number(options?.at ?? height);
      if (path.includes('/GetNodeInfo')) return { message: nodeInfoOf(chainId), headers: [], trailers: [] };
      requested.push({ path, height: at });
      const failure = failWith;
      await gate;
      if (failure !== undefined) throw failure;
      if (at < earliest) throw new NodeFailure(2, `version ${at} does not exist`);
      const code = codes.get(at) ?? 0;
      const message = path.endsWith('/Entity') ? entityOf(`${code}${'x'.repeat(wide)}`) : paramsOf(code);
      return { message, headers: [['x-cosmos-block-height', String(at)]], trailers: [] };
    },
    stream() {
      throw new Error('unexpected call');
    },
    close() {},
  };
  const look = (reachable = true): void =>
    blocks.report(node0, {
      reachable,
      height: reachable ? String(height) : null,
      blockSeconds: 1_700_000_000 + height,
    });
  look();

  return {
    channel,
    blocks,
    requested,
    height: () => height,
    /** Makes a block with `code` in the params; by default the code of the block before. */
    newBlock(code = codes.get(height) ?? 0): void {
      height += 1;
      codes.set(height, code);
      look();
    },
    /** Makes all nodes unavailable, or available. */
    goAway(isUnavailable: boolean): void {
      failWith = isUnavailable ? new NodeFailure(14, 'away', { fromTransport: true }) : undefined;
      look(!isUnavailable);
      look(!isUnavailable);
    },
    fail(failure: NodeFailure | undefined): void {
      failWith = failure;
    },
    /** Sets the earliest available block. */
    forgetBelow(first: number): void {
      earliest = first;
    },
    /** Adds this many characters to each entity. */
    widen(characters: number): void {
      wide = characters;
    },
    /** Calls are answered after the promise is settled. */
    hold(until: Promise<void>): void {
      gate = until;
    },
  };
}
