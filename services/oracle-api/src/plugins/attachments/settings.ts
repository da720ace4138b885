import type { NamedHost } from '@mlango/outbound/named-hosts';
import { namedHosts } from '@mlango/service-kit/private-hosts';
import { z } from 'zod';
import { baseUrl, wholeNumber } from '../api/settings.js';

/** Supported kinds of files. */
export const fileKinds = ['text', 'image', 'pdf', 'audio'] as const;
export type FileKind = (typeof fileKinds)[number];

const MEBIBYTE = 1024 * 1024;

const items = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const homeservers = z
  .string()
  .default('')
  .transform((value, context): readonly string[] =>
    items(value).flatMap((item) => {
      const origin = homeserverOrigin(item);
      if (origin !== undefined) return [origin];
      const message = 'must be a comma-separated list of homeservers, such as https://matrix.example.org';
      context.issues.push({ code: 'custom', message, input: undefined });
      return [];
    }),
  );

/** HTTPS is the default, so that a listed host is not open on all of its ports. */
const webHosts = namedHosts().transform((hosts): readonly NamedHost[] =>
  hosts.map(({ host, port = 443 }) => ({ host, port })),
);

const kinds = z
  .string()
  .default(fileKinds.join(','))
  .transform((value, context): readonly FileKind[] => {
    const known = items(value).flatMap((item) => fileKinds.find((kind) => kind === item) ?? []);
    if (known.length === items(value).length) return known;
    context.issues.push({ code: 'custom', message: `must be a list of ${fileKinds.join(', ')}`, input: undefined });
    return z.NEVER;
  });

export const attachmentSettings = z
  .object({
    MATRIX_HOMESERVERS: homeservers.describe('Homeservers, such as `https://matrix.example.org`, comma-separated'),
    ATTACHMENT_HOSTS: webHosts.describe(
      'Hosts that files with an `https://` address are read from, comma-separated, for port 443 unless a port is named',
    ),
    ATTACHMENT_MAX_BYTES: wholeNumber({ default: 5 * MEBIBYTE, min: 1_024, max: 50 * MEBIBYTE }).describe(
      'Size limit of a file; larger files are not read at all',
    ),
    ATTACHMENT_REQUEST_BYTES: wholeNumber({ default: 20 * MEBIBYTE, min: 1_024, max: 200 * MEBIBYTE }).describe(
      'Bytes of all files in one request of another protocol, before base64',
    ),
    ATTACHMENT_HISTORY_IMAGES: wholeNumber({ default: 4, min: 0, max: 20 }).describe(
      'Images of earlier messages that the model receives again',
    ),
    ATTACHMENT_HISTORY_BYTES: wholeNumber({ default: 10 * MEBIBYTE, min: 0, max: 50 * MEBIBYTE }).describe(
      'Bytes of these images together',
    ),
    ATTACHMENT_TOKENS: wholeNumber({ default: 8_000, min: 100, max: 1_000_000 }).describe(
      "Estimated tokens of the files of one message. At most a quarter of the model's context window",
    ),
    ATTACHMENT_TIMEOUT_MS: wholeNumber({ default: 8_000, min: 100, max: 9_000 }).describe(
      'Time limit for reading the files of one message',
    ),
    ATTACHMENT_TYPES: kinds.describe('Accepted kinds, recognised by the bytes of a file'),
    ATTACHMENT_USER_BYTES: wholeNumber({ default: 100 * MEBIBYTE, min: 0, max: 10_240 * MEBIBYTE }).describe(
      "Total size of one user's uploaded files; 0 disables uploads",
    ),
    ATTACHMENT_KEEP_DAYS: wholeNumber({ default: 90, min: 1, max: 3_650 }).describe(
      'Retention of an uploaded file, if its session exists; at most `MESSAGE_RETENTION_DAYS`',
    ),
    MESSAGE_RETENTION_DAYS: z.coerce
      .number()
      .optional()
      .catch(undefined)
      .meta({ description: 'Age at which messages are deleted; never without it', shownDefault: 'never' }),
    TRANSCRIPTION_BASE_URL: baseUrl
      .optional()
      .describe('Endpoint that transcribes recordings by `POST /audio/transcriptions`, as at OpenAI'),
    TRANSCRIPTION_API_KEY: z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks')
      .optional()
      .describe('Its key, sent as a bearer token'),
    TRANSCRIPTION_MODEL: z.string().min(1).max(200).optional().describe('Its model; required with the endpoint'),
  })
  .superRefine(({ TRANSCRIPTION_BASE_URL, TRANSCRIPTION_API_KEY, TRANSCRIPTION_MODEL }, context) => {
    const refuse = (variable: string, message: string) =>
      context.addIssue({ code: 'custom', path: [variable], message });
    if (TRANSCRIPTION_BASE_URL === undefined && (TRANSCRIPTION_MODEL ?? TRANSCRIPTION_API_KEY) !== undefined) {
      refuse('TRANSCRIPTION_BASE_URL', 'is required with the other TRANSCRIPTION_ variables');
    }
    if (TRANSCRIPTION_BASE_URL !== undefined && TRANSCRIPTION_MODEL === undefined) {
      refuse('TRANSCRIPTION_MODEL', 'is required with TRANSCRIPTION_BASE_URL');
    }
  });

export type AttachmentSettings = z.output<typeof attachmentSettings>;

/** The origin of a homeserver from a URL without a path, or from its host; undefined for anything else. */
export function homeserverOrigin(text: string): string | undefined {
  const trimmed = text.trim();
  const withScheme = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(withScheme)) return undefined;
  const { origin, pathname, search, hash, username, password } = new URL(withScheme);
  return `${pathname}${search}${hash}${username}${password}` === '/' ? origin.replace(/\.(?=:\d+$|$)/, '') : undefined;
}
