import { useMemo } from 'react';
import {
  KnownLimits,
  problemOf,
  type UploadOptions,
  type UploadOutcome,
  uploadAttachment,
} from '../api/attachments.js';
import { useOraclesRuntime } from './oracles-context.js';

export interface IAttachments {
  /** Uploads a file. Pass the resulting attachment with a message of the session. Never rejects. */
  readonly uploadAttachment: (file: File, options?: UploadOptions) => Promise<UploadOutcome>;
  /** The bytes of a file that the user has uploaded. Rejects with an `OracleRequestError`. */
  readonly openAttachment: (attachmentId: string, signal?: AbortSignal) => Promise<Blob>;
  /** Deletes one; messages that refer to it still do. The function is stable. */
  readonly deleteAttachment: (attachmentId: string) => Promise<void>;
}

/** Files of a session of the user with an oracle. */
export function useAttachments(oracleDid: string, apiUrl: string | undefined, shown: string): IAttachments {
  const runtime = useOraclesRuntime();
  return useMemo(() => {
    const connection = runtime.connect(oracleDid, apiUrl ?? '');
    const limits = new KnownLimits(connection);
    const pathOf = (attachmentId: string) => `/attachments/${encodeURIComponent(attachmentId)}`;
    return {
      uploadAttachment: async (file, { sessionId: wanted = shown, ...options } = {}) => {
        if (apiUrl === undefined || wanted === '') return problemOf(new Error('The chat is not ready'));
        const problem = await limits.problemOf(file, options.signal);
        if (problem !== undefined) return problem;
        try {
          const sessionId = typeof wanted === 'string' ? wanted : await wanted();
          return await uploadAttachment(connection, sessionId, file, options);
        } catch (error) {
          return problemOf(error);
        }
      },
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
