import Fastify from 'fastify';
import { type Caller, createUcanAuth, type UcanAuthOptions } from '../src/auth.js';
import { callerOf, ucanAuthPlugin } from '../src/http/fastify.js';
import { NOW, ORACLE } from './forge.js';

/** Credentials of a request or a handshake. */
export interface Shown {
  readonly invocation?: string;
  readonly delegation?: string;
  /** An unproven DID (`x-did`). */
  readonly did?: string;
}

/** The caller, or the refusal; a dropped socket gets no reason. */
export type Answer =
  | { readonly did: string; readonly via: string; readonly delegation?: string }
  | { readonly status: number; readonly message: string }
  | 'dropped';

export interface Endpoints {
  http(shown: Shown): Promise<Answer>;
  handshake(shown: Shown): Promise<Answer>;
}

/** Two endpoints of one service with the same authentication: a protected route and a WebSocket handshake. */
export async function openEndpoints(options: Partial<UcanAuthOptions> = {}): Promise<Endpoints> {
  const auth = createUcanAuth({ audiences: [ORACLE], now: () => NOW, ...options });
  const app = Fastify();
  await app.register(ucanAuthPlugin, { auth });
  app.get('/me', { onRequest: app.requireUcan }, async (request) => answerOf(callerOf(request)));
  return {
    async http({ invocation, delegation, did }) {
      const headers = {
        ...(invocation === undefined ? {} : { authorization: `Bearer ${invocation}`, 'x-auth-type': 'ucan' }),
        ...(delegation === undefined ? {} : { 'x-ucan-delegation': delegation }),
        ...(did === undefined ? {} : { 'x-did': did }),
      };
      const reply = await app.inject({ url: '/me', headers });
      return reply.statusCode === 200 ? reply.json() : { status: reply.statusCode, message: reply.json().message };
    },
    async handshake({ invocation, delegation, did }) {
      const outcome = await auth.handshake({ invocation, ucanDelegation: delegation, did, 'x-did': did });
      return outcome.ok ? answerOf(outcome.caller) : 'dropped';
    },
  };
}

function answerOf({ did, via, delegation }: Caller): Answer {
  return { did, via, ...(delegation === undefined ? {} : { delegation: delegation.token }) };
}
