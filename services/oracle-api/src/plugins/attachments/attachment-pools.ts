import { Transform } from 'node:stream';
import type { Permit } from '@mlango/async/fair-semaphore';
import { poolFull } from '@mlango/service-kit/shared-pools';
import type { OpenPool, SharedPool } from '../../shared-pools.js';
import type { AttachmentSettings } from './settings.js';

const MEBIBYTE = 1024 * 1024;

/** Bytes taken from the pool at a time while an upload arrives. */
const stepBytes = 64 * 1024;

/** User and address of a share of a pool. */
export interface Holder {
  readonly user: string;
  readonly address: string;
}

/** Limits for files in one process. A file of the largest size always fits into one share. */
export interface AttachmentPools {
  /** Bytes of files that turns have read, until the turn ends. */
  readonly files: SharedPool;
  /** Threads that read PDFs, each limited by the time limit of a message's files and by processor time. */
  readonly pdfThreads: SharedPool;
}

export function openAttachmentPools(
  open: OpenPool,
  settings: Pick<AttachmentSettings, 'ATTACHMENT_MAX_BYTES' | 'ATTACHMENT_REQUEST_BYTES'>,
): AttachmentPools {
  // Files of a request that is not stored are held, and read one by one.
  const leastBytes = 2 * settings.ATTACHMENT_REQUEST_BYTES + settings.ATTACHMENT_MAX_BYTES;
  return {
    files: open({
      name: 'file_bytes',
      total: Math.max(256 * MEBIBYTE, leastBytes),
      shares: sharesOf(64, 128, leastBytes),
    }),
    pdfThreads: open({
      name: 'pdf_threads',
      total: 2,
      shares: { user: 1, address: 1 },
      waiting: { total: 20, perHolder: 6 },
    }),
  };
}

/** Opens the pool for bytes of uploads, and of requests with files, that are not stored yet. A request has 30 seconds to arrive. */
export function openUploadPool(open: OpenPool, settings: AttachmentSettings): SharedPool {
  const leastBytes = Math.max(settings.ATTACHMENT_MAX_BYTES, bodyBytes(settings)) + stepBytes;
  return open({
    name: 'upload_bytes',
    total: Math.max(128 * MEBIBYTE, leastBytes),
    shares: sharesOf(32, 64, leastBytes),
  });
}

/** The largest body of a request with files in base64, with 1 MiB for its other parts. */
function bodyBytes({ ATTACHMENT_REQUEST_BYTES: bytes }: AttachmentSettings): number {
  return Math.ceil(bytes / 3) * 4 + MEBIBYTE;
}

/** Shares in bytes, from mebibytes; each has room for `leastBytes`. */
function sharesOf(userMebibytes: number, addressMebibytes: number, leastBytes: number) {
  const share = (mebibytes: number) => Math.max(mebibytes * MEBIBYTE, leastBytes);
  return { user: share(userMebibytes), address: share(addressMebibytes) };
}

/** Takes bytes from a pool as they pass, and fails with 429 or 503 if the pool is full. */
export function countedUpload(
  pool: SharedPool,
  holder: Holder,
): { readonly counted: Transform; readonly release: () => void } {
  const permits: Permit[] = [];
  let bytes = 0;
  let isReleased = false;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      while (!isReleased && permits.length * stepBytes < bytes) {
        const permit = pool.tryAcquire(holder, stepBytes);
        if ('full' in permit) {
          done(poolFull(permit.full, 2));
          return;
        }
        permits.push(permit);
      }
      done(null, chunk);
    },
  });
  return {
    counted,
    release: () => {
      isReleased = true;
      for (const permit of permits.splice(0)) permit.release();
    },
  };
}
