import crypto from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { CLUSTER_IMAGE } from './embedded-files.js';

// The last step of this package's build. A cluster contains its creation time and random bytes; both are fixed here, so that builds
// are reproducible.
const madeAtMs = Date.UTC(2026, 0, 1);
globalThis.Date = class extends Date {
  constructor(time: number | string | Date = madeAtMs) {
    super(time);
  }
  static override now(): number {
    return madeAtMs;
  }
} as DateConstructor;
crypto.randomFillSync = <Bytes extends NodeJS.ArrayBufferView>(bytes: Bytes): Bytes => {
  new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).fill(7);
  return bytes;
};

const cluster = await PGlite.create('memory://');
await cluster.exec('checkpoint');
const tar = Buffer.from(await (await cluster.dumpDataDir('none')).arrayBuffer());
await cluster.close();
// A large window: most of the cluster is its template databases, each the same as the others.
const params = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_LGWIN]: 24 };
writeFileSync(CLUSTER_IMAGE, brotliCompressSync(tar, { params }));
