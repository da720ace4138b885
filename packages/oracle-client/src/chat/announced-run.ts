import type { SentMessage } from './live-turn.js';

/** What an oracle tells all tabs of a session of one of its messages. */
export interface AnnouncedRun {
  /** As the tab that sent it has chosen it. */
  readonly requestId: string;
  readonly runId: string;
  /** `queued` while it waits for other messages, then `running`. */
  readonly status: string;
  readonly sent: SentMessage;
  /** The message in the place of which it stands. */
  readonly instead?: string;
}

/** Reads a `run_status` event; undefined for what is none. */
export function announcedRun(data: Readonly<Record<string, unknown>>): AnnouncedRun | undefined {
  const { requestId, runId, status, messageId: id, message: text, timestamp: createdAt, attachments, instead } = data;
  if (typeof requestId !== 'string' || typeof runId !== 'string' || typeof status !== 'string') return undefined;
  if (typeof id !== 'string' || typeof text !== 'string' || typeof createdAt !== 'string') return undefined;
  const files = Array.isArray(attachments) ? { attachments } : {};
  const place = typeof instead === 'string' ? { instead } : {};
  return { requestId, runId, status, sent: { id, text, createdAt, ...files }, ...place };
}
