import { WebSocket } from 'undici';

export interface SessionSocket {
  /** How often the session has said that a turn of it is over. */
  readonly timesTold: number;
  close(): void;
}

/** Opens a socket of a session: a plain one, or as a Socket.IO client speaks (Engine.IO protocol 4). */
export function openSocket(kind: 'plain' | 'socket.io', base: string, sessionId: string, invocation: string) {
  const auth = JSON.stringify({ invocation });
  const path = kind === 'plain' ? '/ws?' : '/socket.io/?EIO=4&transport=websocket&';
  const socket = new WebSocket(`${base.replace('http', 'ws')}${path}sessionId=${sessionId}`);
  return new Promise<SessionSocket>((resolve, reject) => {
    let timesTold = 0;
    const opened = {
      get timesTold() {
        return timesTold;
      },
      close: () => socket.close(),
    };
    socket.addEventListener('open', () => {
      if (kind === 'plain') socket.send(auth);
    });
    socket.addEventListener('message', ({ data }) => {
      const text = String(data);
      if (kind === 'socket.io' && text.startsWith('0')) socket.send(`40${auth}`);
      else if (text === '2') socket.send('3');
      else if (text.includes('"connected"')) resolve(opened);
      // Each is told bare and wrapped; the bare one counts.
      else if (isBareWord(text)) timesTold += 1;
    });
    socket.addEventListener('close', ({ code, reason }) => reject(new Error(`socket closed: ${code} ${reason}`)));
    socket.addEventListener('error', () => reject(new Error('socket failed')));
  });
}

function isBareWord(text: string): boolean {
  return /^(?:\{"event":|42\[)"message_cache_invalidation"/.test(text);
}
