import { Readable } from 'node:stream';
import { accountDeleted } from '@mlango/schemas/oracle-account';
import { ServiceError } from '@mlango/service-kit/errors';
import { addressKey, type HttpApp } from '@mlango/service-kit/http-app';
import { poolFull } from '@mlango/service-kit/shared-pools';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Account } from '../account/account.js';
import type { SharedPools } from '../shared-pools.js';
import { errorReplies } from './errors.js';

const tags = ['account'];

/** A download that makes no progress for this time is cut off, which frees its slot. */
const stalledAfterMs = 60_000;
/** Maximum duration of an export: 4 GiB need 7 MB per second. */
const exportLimitMs = 600_000;
const exportRetrySeconds = 30;

export interface AccountDeps {
  readonly account: Pick<Account, 'export' | 'delete'>;
  readonly pools: Pick<SharedPools, 'exports'>;
  readonly logger: { info(fields: object, text: string): void };
}

/** `/account`: export and deletion of all data of the caller. */
export function accountRoutes(app: HttpApp, { account, pools, logger }: AccountDeps): void {
  app.get(
    '/account/export',
    {
      schema: {
        tags,
        operationId: 'exportAccount',
        summary: 'Export the data of the caller as one archive',
        description:
          'A ZIP archive with one file of JSON lines for each kind of data, and `manifest.json` with the number of lines of each file. ' +
          'Answers 409 while another export of the caller runs. An export takes at most 10 minutes. ' +
          'An interrupted archive lacks its end and cannot be opened.',
        response: {
          200: { description: 'The archive', content: { 'application/zip': { schema: z.string() } } },
          ...errorReplies(401, 409),
        },
      },
    },
    async (request, reply) => {
      const { did } = callerOf(request);
      const permit = pools.exports.tryAcquire({ user: did, address: addressKey(request.ip) });
      if ('full' in permit) {
        if (permit.full === 'user') throw new ServiceError('conflict', 'An export of your data is already running');
        throw poolFull(permit.full, exportRetrySeconds);
      }
      const archive = Readable.from(account.export(did), { objectMode: false });
      const deadline = setTimeout(() => archive.destroy(new Error('the export took too long')), exportLimitMs).unref();
      const done = () => {
        clearTimeout(deadline);
        permit.release();
      };
      archive.once('end', done).once('close', done);
      return sendArchive(reply, archive);
    },
  );

  app.delete(
    '/account',
    {
      schema: {
        tags,
        operationId: 'deleteAccount',
        summary: 'Delete the data of the caller',
        description:
          'Stops running answers and closes sockets first. The receipt lists deleted data, and retained data with the reason. ' +
          'A repeated request deletes nothing and returns a receipt without rows. ' +
          'Answers 409 if new messages arrive faster than their answers can be stopped.',
        response: { 200: accountDeleted, ...errorReplies(401, 409, 413, 415, 400) },
      },
    },
    async (request) => {
      const receipt = await account.delete(callerOf(request).did);
      if (receipt === 'busy') throw new ServiceError('conflict', 'Messages are still being answered; try again');
      logger.info({ receipt: receipt.id, deleted: receipt.deleted }, 'account deleted');
      return {
        ...receipt,
        deleted: { ...receipt.deleted },
        kept: [...receipt.kept],
        deletedAt: receipt.deletedAt.toISOString(),
      };
    },
  );
}

function sendArchive(reply: FastifyReply, archive: Readable): FastifyReply {
  reply.raw.setTimeout(stalledAfterMs, () => reply.raw.destroy());
  return reply
    .headers({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="account.zip"',
      'cache-control': 'no-store',
    })
    .send(archive);
}
