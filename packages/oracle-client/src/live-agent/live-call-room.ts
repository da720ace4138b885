import { type RemoteTrack, type Room, RoomEvent, Track } from 'livekit-client';
import type { LiveCallSnapshot } from './live-call-snapshot.js';

type Seen = Pick<
  LiveCallSnapshot,
  'status' | 'isEncrypted' | 'isMuted' | 'isCameraOn' | 'isAudioBlocked' | 'participants'
>;

/** Has the call of a room be heard, and tells whenever something has changed that `seenIn` shows. */
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

/** @param before the status until now, which stays where the room says nothing of it */
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
