import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { openSocket, type SessionSocket } from './session-socket.js';

const sessionsPerUser = 25;

export interface Session {
  readonly sessionId: string;
  readonly token: string;
}

export const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' });

/** So many sessions, twenty-five of each user. */
export async function openSessions(base: string, audience: string, count = 1_000): Promise<Session[]> {
  const sessions: Session[] = [];
  for (let user = 0; sessions.length < count; user++) {
    const signer = signerFromSeed(Buffer.alloc(32, user + 1));
    const token = await mintInvocation({ signer, audience });
    const open = async () => {
      const reply = await fetch(`${base}/sessions`, { method: 'POST', headers: headersOf(token) });
      const { sessionId } = (await reply.json()) as { sessionId: string };
      return { sessionId, token };
    };
    sessions.push(
      ...(await Promise.all(Array.from({ length: Math.min(sessionsPerUser, count - sessions.length) }, open))),
    );
  }
  return sessions;
}

/** A socket for each session, half of them plain and half as Socket.IO clients open them. */
export async function openSockets(base: string, sessions: readonly Session[]): Promise<SessionSocket[]> {
  const sockets: SessionSocket[] = [];
  for (let start = 0; start < sessions.length; start += 50) {
    const batch = sessions.slice(start, start + 50);
    const kindOf = (index: number) => (index % 2 === 0 ? 'plain' : 'socket.io');
    const open = ({ sessionId, token }: Session, index: number) => openSocket(kindOf(index), base, sessionId, token);
    sockets.push(...(await Promise.all(batch.map(open))));
  }
  return sockets;
}
