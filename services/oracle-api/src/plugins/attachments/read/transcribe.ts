import { z } from 'zod';
import { HttpService } from '../../api/http-service.js';
import type { AttachmentSettings } from '../settings.js';
import { ReadError } from './read-problem.js';
import type { AudioType } from './recognise-file.js';

/**
 * Returns the text of a recording.
 * @throws ReadError
 */
export type Transcribe = (bytes: Buffer, mediaType: AudioType, signal: AbortSignal) => Promise<string>;

const replyBytes = 256 * 1024;
/** Longer than the time limit of a message's files: the signal aborts first. */
const limitMs = 10_000;

const reply = z.object({ text: z.string() });

/**
 * Opens a client for `POST /audio/transcriptions` of the configured endpoint; undefined without one. Source: OpenAI's API reference,
 * "Create transcription".
 */
export function openTranscription(settings: AttachmentSettings): Transcribe | undefined {
  const { TRANSCRIPTION_BASE_URL: url, TRANSCRIPTION_API_KEY: key, TRANSCRIPTION_MODEL: model } = settings;
  if (url === undefined || model === undefined) return undefined;
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const service = new HttpService({ url, headers, limitMs, limitBytes: replyBytes });

  return async (bytes, mediaType, signal) => {
    const { FormData } = await import('undici');
    const form = new FormData();
    // Services read the format from the name. The user's own file name is private.
    form.append(
      'file',
      new Blob([new Uint8Array(bytes)], { type: mediaType }),
      `recording.${mediaType.slice('audio/'.length)}`,
    );
    form.append('model', model);
    form.append('response_format', 'json');
    const text = await service
      .request('/audio/transcriptions', { form, signal })
      .then(({ status, text: body }) => {
        if (status !== 200) throw new ReadError('transcription_failed');
        return reply.parse(JSON.parse(body)).text.trim();
      })
      .catch(() => {
        throw new ReadError(signal.aborted ? 'timeout' : 'transcription_failed');
      });
    if (text === '') throw new ReadError('no_speech');
    return text;
  };
}
