import { useMemo } from 'react';
import { useOraclesRuntime } from '../provider/oracles-context.js';
import { problemOf, type UploadOptions, type UploadOutcome, uploadAttachment } from './attachment.js';

export interface IAttachments {
  /** Uploads a file: what it is answered with goes along with a message of the session. Never rejects. */
  readonly uploadAttachment: (file: File, options?: UploadOptions) => Promise<UploadOutcome>;
  /** The bytes of a file that the user has uploaded. Rejects with an `OracleRequestError`. */
  readonly openAttachment: (attachmentId: string, signal?: AbortSignal) => Promise<Blob>;
  /** Deletes one; messages that name it go on naming it. The same. */
  readonly deleteAttachment: (attachmentId: string) => Promise<void>;
}

/** Files of a session of the user with an oracle. */
export function useAttachments(oracleDid: string, apiUrl: string | undefined, shown: string): IAttachments {
  const runtime = useOraclesRuntime();
  return useMemo(() => {
    const connection = runtime.connect(oracleDid, apiUrl ?? '');
    const pathOf = (attachmentId: string) => `/attachments/${encodeURIComponent(attachmentId)}`;
    return {
      uploadAttachment: async (file, { sessionId = shown, ...options } = {}) =>
        apiUrl === undefined || sessionId === ''
          ? problemOf(new Error('The chat is not ready'))
          : uploadAttachment(connection, sessionId, file, options),
      openAttachment: async (attachmentId, signal) => {
        const reply = await connection.open(pathOf(attachmentId), signal === undefined ? {} : { signal });
        return reply.blob();
      },
      deleteAttachment: async (attachmentId) => {
        await connection.json(pathOf(attachmentId), { method: 'DELETE' });
      },
    };
  }, [runtime, oracleDid, apiUrl, shown]);
}
