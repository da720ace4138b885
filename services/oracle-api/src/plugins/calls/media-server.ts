import type { CallSettings } from './settings.js';

/** Holder of a token: the user, or the oracle's agent. */
export type Side = 'caller' | 'agent';

export interface Admission {
  readonly roomName: string;
  readonly identity: Side;
  readonly token: string;
  readonly tokenExpiresAt: Date;
}

/** An event in a room, reported by the media server. */
export type RoomEvent = { readonly callId: string; readonly at: Date } & (
  | { readonly kind: 'seen'; readonly identity: string; readonly did: 'join' | 'leave' }
  | { readonly kind: 'closed' }
);

/** The rooms of a LiveKit server. */
export interface MediaServer {
  /** The server's address for clients, ws: or wss:. */
  readonly url: string;
  /** Creates a token for the room of one call only. */
  admit(call: { callId: string; kind: 'audio' | 'video' }, identity: Side, now: Date): Promise<Admission>;
  /** Removes all participants. Rejects if the server is unreachable; a missing room counts as closed. */
  closeRoom(callId: string): Promise<void>;
  /** Returns undefined for events that do not concern calls. Rejects a body that was not signed with the server's secret. */
  readEvent(body: string, authorization: string | undefined): Promise<RoomEvent | undefined>;
}

/** Time to join, in seconds. The server lets participants reconnect later. */
const admissionSeconds = 300;
/** Lifetime of an empty room, before the first arrival and after the last departure. */
const emptySeconds = 300;
const departureSeconds = 30;
/** The caller, the agent, and a replacement for a failed agent. */
const roomSize = 3;
const requestSeconds = 3;
const roomPrefix = 'call-';
const identityChars = 128;

/** Loads LiveKit's SDK (200 ms, 20 MB), so only oracles with calls load it. */
export async function openMediaServer(settings: CallSettings): Promise<MediaServer> {
  const { AccessToken, RoomAgentDispatch, RoomConfiguration, RoomServiceClient, TrackSource, WebhookReceiver } =
    await import('livekit-server-sdk');
  const { LIVEKIT_API_KEY: key, LIVEKIT_API_SECRET: secret, LIVEKIT_AGENT_NAME: agentName } = settings;
  const url = settings.LIVEKIT_URL.replace(/^http/, 'ws').replace(/\/+$/, '');
  const rooms = new RoomServiceClient(url, key, secret, { requestTimeout: requestSeconds, failover: false });
  const webhooks = new WebhookReceiver(key, secret);

  return {
    url,
    async admit({ callId, kind }, identity, now) {
      const roomName = `${roomPrefix}${callId}`;
      const isAgent = identity === 'agent';
      const token = new AccessToken(key, secret, { identity, ttl: admissionSeconds });
      token.addGrant({
        roomJoin: true,
        room: roomName,
        canSubscribe: true,
        canPublish: true,
        canPublishSources: kind === 'video' ? [TrackSource.MICROPHONE, TrackSource.CAMERA] : [TrackSource.MICROPHONE],
        // The user writes to the oracle in the session; the agent sends its transcript as data.
        canPublishData: isAgent,
        canUpdateOwnMetadata: false,
      });
      if (isAgent) token.kind = 'agent';
      token.roomConfig = new RoomConfiguration({
        name: roomName,
        emptyTimeout: emptySeconds,
        departureTimeout: departureSeconds,
        maxParticipants: roomSize,
        agents:
          agentName === undefined ? [] : [new RoomAgentDispatch({ agentName, metadata: JSON.stringify({ callId }) })],
      });
      const tokenExpiresAt = new Date(now.getTime() + admissionSeconds * 1_000);
      return { roomName, identity, token: await token.toJwt(), tokenExpiresAt };
    },
    async closeRoom(callId) {
      try {
        await rooms.deleteRoom(`${roomPrefix}${callId}`);
      } catch (error) {
        if (statusOf(error) !== 404) throw error;
      }
    },
    async readEvent(body, authorization) {
      const { event, room, participant, createdAt } = await webhooks.receive(body, authorization);
      if (room?.name.startsWith(roomPrefix) !== true) return undefined;
      const about = { callId: room.name.slice(roomPrefix.length), at: new Date(Number(createdAt) * 1_000) };
      if (event === 'room_finished') return { kind: 'closed', ...about };
      const did = event === 'participant_joined' ? 'join' : event === 'participant_left' ? 'leave' : undefined;
      if (did === undefined || participant === undefined) return undefined;
      return { kind: 'seen', identity: participant.identity.slice(0, identityChars), did, ...about };
    },
  };
}

function statusOf(error: unknown): unknown {
  return error instanceof Error && 'status' in error ? error.status : undefined;
}
