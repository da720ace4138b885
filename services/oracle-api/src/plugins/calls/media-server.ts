import type { CallSettings } from './settings.js';

/** Who comes with a token: the user, or whoever speaks for the oracle. */
export type Side = 'caller' | 'agent';

export interface Admission {
  readonly roomName: string;
  readonly identity: Side;
  readonly token: string;
  readonly tokenExpiresAt: Date;
}

/** What happened in a room, as the media server tells it. */
export type RoomEvent = { readonly callId: string; readonly at: Date } & (
  | { readonly kind: 'seen'; readonly identity: string; readonly did: 'join' | 'leave' }
  | { readonly kind: 'closed' }
);

/** The rooms of a LiveKit server. */
export interface MediaServer {
  /** Where clients find it, ws: or wss:. */
  readonly url: string;
  /** A token for the room of one call, and nothing beyond. */
  admit(call: { callId: string; kind: 'audio' | 'video' }, identity: Side, now: Date): Promise<Admission>;
  /** Puts everybody out. Rejects when the server cannot be reached; a room that is not there is closed already. */
  closeRoom(callId: string): Promise<void>;
  /** Undefined for what is no concern of calls. Rejects what was not signed with the server's secret. */
  readEvent(body: string, authorization: string | undefined): Promise<RoomEvent | undefined>;
}

/** Time to get in. The server sees to it that who is in can come back. */
const admissionSeconds = 300;
/** Minutes of an empty room, before anybody came and after all have left. */
const emptySeconds = 300;
const departureSeconds = 30;
/** The caller and the agent, and one who takes the place of an agent that has died. */
const roomSize = 3;
const requestSeconds = 3;
const roomPrefix = 'call-';
const identityChars = 128;

/** Loads LiveKit's SDK, which takes a fifth of a second and 20 MB: only where calls are. */
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
        // The user writes to the oracle in the session; what the agent has understood is told as data.
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
