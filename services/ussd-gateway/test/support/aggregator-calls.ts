import type { HttpApp } from '@mlango/service-kit/http-app';
import { expect } from 'vitest';

/** Texts of the first screens, as users see them. */
export const screens = {
  welcome: 'Welcome to Mlango\n1. Know More\n2. Account Menu\n*. Exit',
  information: 'Information Center\n1. About this service\n2. Pricing\n3. Delivery\n*. Exit',
  goodbye: 'Thank you for using Mlango. Goodbye!',
  expired: 'Session expired. Please dial again.',
  invalid: 'Invalid input. Please try again.',
  unavailable: 'Service temporarily unavailable. Please try again later.',
  tooMany: 'Too many requests. Please try again later.',
} as const;

interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>> | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly remoteAddress?: string;
}

/** Sends one request as an aggregator does. */
export async function call(app: HttpApp, { json, form, headers = {}, ...request }: Call) {
  const formText = typeof form === 'string' ? form : new URLSearchParams(form).toString();
  const body =
    json !== undefined
      ? { payload: typeof json === 'string' ? json : JSON.stringify(json), type: 'application/json' }
      : form !== undefined
        ? { payload: formText, type: 'application/x-www-form-urlencoded' }
        : undefined;
  const reply = await app.inject({
    method: 'POST',
    ...request,
    headers: { ...(body === undefined ? {} : { 'content-type': body.type }), ...headers },
    ...(body === undefined ? {} : { payload: body.payload }),
  });
  return { status: reply.statusCode, type: String(reply.headers['content-type']), text: reply.body, reply };
}

/** JSON of the reply, which must have status 200 unless another one is given. */
export function jsonOf({ status, type, text }: Awaited<ReturnType<typeof call>>, expected = 200): unknown {
  expect({ status, type }).toEqual({ status: expected, type: 'application/json; charset=utf-8' });
  return JSON.parse(text);
}

/** A manual clock, for gateways that do not number their requests. */
export class TestClock {
  nowMs = 1_000_000;
  readonly read = () => this.nowMs;

  /** Enough time for a user to read a screen and answer. */
  think(): void {
    this.nowMs += 5000;
  }
}
