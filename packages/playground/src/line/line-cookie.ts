import { randomUUID } from 'node:crypto';

const cookie = /(?:^|;\s*)line=([0-9a-f-]{36})(?:;|$)/;

/** The line a request came over; undefined for one without the cookie that a page brings. */
export function lineOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : cookie.exec(header)?.[1];
}

/** `Set-Cookie` for a browser without a line. It names connections, not people, and leaves with the browser. */
export function newLineCookie(): string {
  return `line=${randomUUID()}; Path=/; HttpOnly; SameSite=Strict`;
}
