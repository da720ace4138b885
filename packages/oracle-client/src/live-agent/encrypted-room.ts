import { ExternalE2EEKeyProvider, isE2EESupported, type RemoteTrack, Room, RoomEvent, Track } from 'livekit-client';
import { LiveAgentError } from './live-agent-error.js';
import type { LiveCallSnapshot } from './live-call-snapshot.js';

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
 * A room that sends nothing in the clear: media and data are encrypted in a worker, with keys derived from the text. Rejects with
 * a `LiveAgentError` if that is impossible.
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

/** For bundlers that follow `new URL` into packages; with others the page passes the worker. */
export function bundledWorker(): Worker {
  return new Worker(new URL('livekit-client/e2ee-worker', import.meta.url), { type: 'module' });
}

type Seen = Pick<
  LiveCallSnapshot,
  'status' | 'isEncrypted' | 'isMuted' | 'isCameraOn' | 'isAudioBlocked' | 'participants'
>;

/** Joins the call of a room and reports changes of the properties that `seenIn` reads. */
export function followRoom(room: Room, changed: () => void): void {
  const changes = [
    RoomEvent.ConnectionStateChanged,
    RoomEvent.ParticipantConnected,
    RoomEvent.ParticipantDisconnected,
    RoomEvent.ActiveSpeakersChanged,
    RoomEvent.ParticipantEncryptionStatusChanged,
    RoomEvent.LocalTrackPublished,
    RoomEvent.LocalTrackUnpublished,
    RoomEvent.TrackMuted,
    RoomEvent.TrackUnmuted,
    RoomEvent.AudioPlaybackStatusChanged,
  ] as const;
  for (const change of changes) room.on(change, changed);
  room.on(RoomEvent.TrackSubscribed, playAudio);
  room.on(RoomEvent.TrackUnsubscribed, (track: RemoteTrack) => track.detach());
}

/** @param before the current status, used if the room reports none */
export function seenIn(room: Room, before: LiveCallSnapshot['status']): Seen {
  const { localParticipant: self } = room;
  return {
    status: statusOf(room, before),
    isEncrypted: room.isE2EEEnabled,
    isMuted: !self.isMicrophoneEnabled,
    isCameraOn: self.isCameraEnabled,
    isAudioBlocked: !room.canPlaybackAudio,
    participants: [...room.remoteParticipants.values()].map(({ identity, isSpeaking, isEncrypted }) => ({
      identity,
      isSpeaking,
      isEncrypted,
    })),
  };
}

function playAudio(track: RemoteTrack): void {
  if (track.kind === Track.Kind.Audio) track.attach();
}

function statusOf(room: Room, before: LiveCallSnapshot['status']): LiveCallSnapshot['status'] {
  switch (room.state) {
    case 'connected':
      return 'connected';
    case 'reconnecting':
    case 'signalReconnecting':
      return 'reconnecting';
    default:
      return before;
  }
}
