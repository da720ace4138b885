import { invalidRequest, jsonError } from '@mlango/schemas/errors';

/** What any route may answer, whoever calls. */
const always = [429, 500, 503] as const;

type Status = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 504;

/** The error replies of a route, for its schema: those named, and those of every route. */
export function errorReplies<const Statuses extends readonly Status[]>(...statuses: Statuses) {
  const entries = [...statuses, ...always].map(
    (status) => [status, status === 400 ? invalidRequest : jsonError] as const,
  );
  return Object.fromEntries(entries) as Record<Statuses[number] | (typeof always)[number], typeof jsonError>;
}
