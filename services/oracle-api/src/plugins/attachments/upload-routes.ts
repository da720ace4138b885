import { finished, pipeline } from 'node:stream';
import { invalidRequest, jsonError } from '@mlango/schemas/errors';
import {
  attachmentDeleted,
  attachmentLimits,
  attachmentPath,
  attachmentUploadQuery,
  type UploadedAttachment,
  uploadedAttachment,
} from '@mlango/schemas/oracle-attachments';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { addressKey } from '@mlango/service-kit/shared-pools';
import { callerOf } from '@mlango/ucan-auth/fastify';
import { z } from 'zod';
import { rightsOf } from '../../identity/route-rights.js';
import { storableText } from '../../store/database.js';
import { countedUpload, openUploadPool } from './attachment-pools.js';
import { audioTypes, imageTypes, mediaTypeOf, recogniseFile } from './read/recognise-file.js';
import type { FileKind } from './settings.js';
import type { AttachmentBoot } from './tables.js';
import { addUpload, expiryOf, type Upload } from './upload-store.js';

const mediaTypes = ['text/plain', 'application/pdf', ...imageTypes, ...audioTypes];

/** A file field in the API documentation. */
const fileText = z.any().meta({ type: 'string', examples: ['A cup of tea.'] });

/** `/attachments`: files of the caller's sessions. */
export function uploadRoutes(app: HttpApp, { own, config, now, newId, openPool }: AttachmentBoot): void {
  const pool = openUploadPool(openPool, config);

  // The type of a file is read from its bytes, not from the client's header.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: config.ATTACHMENT_MAX_BYTES }, (_, body, done) =>
    done(null, body),
  );

  app.post(
    '/attachments',
    {
      bodyLimit: config.ATTACHMENT_MAX_BYTES,
      config: { ...rightsOf('POST /attachments'), stores: 'attachment_uploads' },
      // Runs before the body is read, after authentication.
      preParsing: async (request, reply, body) => {
        const { counted, release } = countedUpload(pool, {
          user: callerOf(request).did,
          address: addressKey(request.ip),
        });
        finished(reply.raw, release);
        return pipeline(body, counted, () => undefined);
      },
      schema: {
        operationId: 'uploadAttachment',
        summary: 'Upload a file to a session',
        description:
          `The body is the content of the file, at most ${config.ATTACHMENT_MAX_BYTES} bytes, with any content type. The type is detected from ` +
          'the bytes: text in UTF-8, a PDF, an image (PNG, JPEG, GIF, WebP), or a recording (WebM, Ogg, MP4, WAV, MP3). ' +
          'Answers 415 for other types, and 409 if the storage of the user is full. A message of the session refers to the file ' +
          'in its `attachments` by the `attachmentId`.',
        querystring: attachmentUploadQuery,
        consumes: [...mediaTypes],
        body: fileText,
        response: {
          201: uploadedAttachment,
          400: invalidRequest,
          404: jsonError,
          409: jsonError,
          413: jsonError,
          415: jsonError,
        },
      },
    },
    async (request, reply) => {
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      if (bytes.length === 0) throw new ServiceError('invalid_argument', 'The file is empty');
      const createdAt = now();
      const upload = {
        ...request.query,
        filename: storableText(request.query.filename),
        attachmentId: newId(),
        ownerDid: callerOf(request).did,
        mediaType: typeOfUpload(bytes, config.ATTACHMENT_TYPES),
        sizeBytes: bytes.length,
        createdAt,
        expiresAt: expiryOf(createdAt, config),
      };
      await addUpload(own, { ...upload, bytes }, config);
      return reply.code(201).send(uploadedReply(upload));
    },
  );

  app.get(
    '/attachments',
    {
      config: rightsOf('GET /attachments'),
      schema: {
        operationId: 'getAttachmentLimits',
        summary: 'Get the types and sizes that can be uploaded',
        description: 'Clients can check files before an upload.',
        response: { 200: attachmentLimits },
      },
    },
    () => ({ maxBytes: config.ATTACHMENT_MAX_BYTES, kinds: [...config.ATTACHMENT_TYPES] }),
  );

  app.get(
    '/attachments/:attachmentId',
    {
      config: rightsOf('GET /attachments/:attachmentId'),
      schema: {
        operationId: 'getAttachment',
        summary: 'Download an attachment',
        description: 'Sent as a download, never as a page to display.',
        params: attachmentPath,
        response: {
          200: {
            description: 'The file',
            content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: z.any().meta({ type: 'string' }) }])),
          },
          400: invalidRequest,
          404: jsonError,
        },
      },
    },
    async (request, reply) => {
      const file = await own.find(callerOf(request).did, request.params.attachmentId, now());
      if (file === undefined) throw new ServiceError('not_found', 'Attachment not found');
      return reply.headers(downloadHeaders(file)).send(file.bytes);
    },
  );

  app.delete(
    '/attachments/:attachmentId',
    {
      config: rightsOf('DELETE /attachments/:attachmentId'),
      schema: {
        operationId: 'deleteAttachment',
        summary: 'Delete an attachment',
        description: 'Messages keep their reference to the deleted file.',
        params: attachmentPath,
        response: { 200: attachmentDeleted, 400: invalidRequest, 404: jsonError },
      },
    },
    async (request) => {
      const isDeleted = await own.remove(callerOf(request).did, request.params.attachmentId);
      if (!isDeleted) throw new ServiceError('not_found', 'Attachment not found');
      return { message: 'Attachment deleted successfully' as const };
    },
  );
}

function typeOfUpload(bytes: Buffer, kinds: readonly FileKind[]): string {
  const file = recogniseFile(bytes);
  if (file !== undefined && kinds.includes(file.kind)) return mediaTypeOf(file);
  throw new ServiceError(
    'unsupported_media_type',
    `This oracle does not read files of that kind, only: ${kinds.join(', ')}`,
  );
}

function uploadedReply({
  attachmentId,
  filename,
  mediaType,
  sizeBytes,
  createdAt,
  expiresAt,
}: Upload): UploadedAttachment {
  const times = { createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
  return { attachmentId, filename, mimetype: mediaType, size: sizeBytes, ...times };
}

/** Headers that make browsers save the file, never show it as a page. */
function downloadHeaders({ mediaType, filename }: Upload): Record<string, string> {
  return {
    'content-type': mediaType === 'text/plain' ? 'text/plain; charset=utf-8' : mediaType,
    'content-disposition': `attachment; filename*=UTF-8''${encodedName(filename)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}

/** Encodes a name for a header. Source: RFC 8187. */
function encodedName(filename: string): string {
  return encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
