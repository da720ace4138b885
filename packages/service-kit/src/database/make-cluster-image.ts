import { writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { CLUSTER_IMAGE } from './cluster-image.js';

// The last step of this package's build.
const cluster = await PGlite.create('memory://');
await cluster.exec('checkpoint');
const tar = Buffer.from(await (await cluster.dumpDataDir('none')).arrayBuffer());
await cluster.close();
// A large window: most of the cluster is its template databases, each the same as the others.
const params = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_LGWIN]: 24 };
writeFileSync(CLUSTER_IMAGE, brotliCompressSync(tar, { params }));
