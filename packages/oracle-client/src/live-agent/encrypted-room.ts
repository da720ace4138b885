import { ExternalE2EEKeyProvider, isE2EESupported, Room } from 'livekit-client';
import { LiveAgentError } from './live-agent-error.js';

export interface EncryptedRoom {
  readonly room: Room;
  /** Leaves the room, and ends the worker that encrypts. */
  close(): Promise<void>;
}

/** Throws an `encryption_unsupported` where the browser cannot encrypt media. */
export function requireEncryption(): void {
  if (!isE2EESupported()) throw new LiveAgentError('encryption_unsupported', 'This browser cannot encrypt calls');
}

/**
 * A room that sends nothing in the clear: media and data are encrypted in a worker, with keys made from the text. Rejects with
 * a `LiveAgentError` where that cannot be.
 */
export async function openEncryptedRoom(e2eeKey: string, createWorker: () => Worker): Promise<EncryptedRoom> {
  requireEncryption();
  const keyProvider = new ExternalE2EEKeyProvider();
  const worker = createWorker();
  const room = new Room({ encryption: { keyProvider, worker }, adaptiveStream: true, dynacast: true });
  const close = async () => {
    await room.disconnect();
    worker.terminate();
  };
  try {
    // Text, not bytes: other clients of LiveKit derive the same keys from it.
    await keyProvider.setKey(e2eeKey);
    await room.setE2EEEnabled(true);
    return { room, close };
  } catch (cause) {
    await close();
    throw new LiveAgentError('encryption_failed', 'The call cannot be encrypted', { cause });
  }
}

/** For bundlers that follow `new URL` into packages; others are given the worker by the page. */
export function bundledWorker(): Worker {
  return new Worker(new URL('livekit-client/e2ee-worker', import.meta.url), { type: 'module' });
}
