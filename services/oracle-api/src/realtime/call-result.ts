import type { FrontendAnswer, FrontendCall } from '../agent/loop/frontend-calls.js';
import { isObject } from '../json-in.js';

type Kind = FrontendCall['kind'];

const names = { browser_tool: 'browser tool', action: 'action' } as const;
const textLimit = 1_000;

/** What a client's result says, in words for the model where it is a failure. An action fails with `success: false` too. */
export function answerOf(kind: Kind, toolName: string, reply: { result?: unknown; error?: unknown }): FrontendAnswer {
  const failure = reasonIn(reply.error) ?? (kind === 'action' ? failureIn(reply.result) : undefined);
  if (failure === undefined) return { ok: true, result: reply.result ?? null };
  return { ok: false, error: `The ${names[kind]} "${toolName}" failed in the user's browser: ${failure}` };
}

export function noTabError(kind: Kind, toolName: string): string {
  return `The ${names[kind]} "${toolName}" could not run: no browser tab of the user is connected to this session.`;
}

export function timeoutError(kind: Kind, toolName: string, timeoutMs: number): string {
  return `The ${names[kind]} "${toolName}" gave no answer: the user's browser did not reply within ${timeoutMs / 1000} seconds.`;
}

export function abortedError(kind: Kind, toolName: string): string {
  return `The ${names[kind]} "${toolName}" was cancelled before the user's browser replied.`;
}

export function repeatedError(kind: Kind, toolName: string): string {
  return `The ${names[kind]} "${toolName}" was not run: its call id is in use by another call.`;
}

function failureIn(result: unknown): string | undefined {
  if (!isObject(result) || result['success'] !== false) return undefined;
  return reasonIn(result['error']) ?? reasonIn(result['message']) ?? 'it says that it did not succeed';
}

function reasonIn(error: unknown): string | undefined {
  if (error === undefined || error === null || error === false || error === '') return undefined;
  if (isObject(error) && typeof error['message'] === 'string') return reasonIn(error['message']) ?? 'no reason given';
  return (typeof error === 'string' ? error : JSON.stringify(error)).slice(0, textLimit);
}
