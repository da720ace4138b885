import websocket from '@fastify/websocket';
import {
  DisconnectReason,
  JoinResponse,
  LeaveRequest,
  LeaveRequest_Action,
  ParticipantInfo,
  ParticipantInfo_State,
  ReconnectResponse,
  Room,
  ServerInfo,
  SessionDescription,
  SignalRequest,
  SignalResponse,
  TrackInfo,
  TrackPublishedResponse,
  TrickleRequest,
} from '@livekit/protocol';
import fastify from 'fastify';
import { TokenVerifier } from 'livekit-server-sdk';

/** The media peer: answers an offer and uses the client's candidates. */
export interface MediaPeer {
  answer(sdp: string): Promise<string>;
  addCandidate(candidate: string): Promise<void>;
}

type Message = NonNullable<ConstructorParameters<typeof SignalResponse>[0]>['message'];

/**
 * The signalling of a LiveKit server, on loopback: it verifies tokens, speaks the protocol of `/rtc`, and leaves media to another
 * server.
 */
export async function standInSignalling({ key, secret }: { key: string; secret: string }) {
  const app = fastify();
  await app.register(websocket);
  let peer: MediaPeer | undefined;
  let send: (message: Message) => void = () => undefined;
  let drop: () => void = () => undefined;
  const joined: string[] = [];
  const published: TrackInfo[] = [];
  let resumed = 0;

  const judged = (token: unknown) => new TokenVerifier(key, secret).verify(String(token)).catch(() => undefined);
  app.get('/rtc/validate', async (request, reply) => {
    const claims = await judged((request.query as Record<string, unknown>)['access_token']);
    return claims === undefined ? reply.code(401).send('invalid token') : 'success';
  });
  // The page has another origin.
  app.addHook('onSend', async (_, reply) => void reply.header('access-control-allow-origin', '*'));

  app.get('/rtc', { websocket: true }, (socket, request) => {
    const { access_token: token, reconnect } = request.query as Record<string, string | undefined>;
    send = (message) => socket.send(new SignalResponse({ message: message ?? { case: undefined } }).toBinary());
    drop = () => socket.terminate();
    socket.on('message', (bytes: Buffer) => void answer(SignalRequest.fromBinary(bytes)));
    void judged(token).then((claims) => {
      const { room: name, roomJoin } = claims?.video ?? {};
      if (name === undefined || roomJoin !== true) return socket.close();
      if (reconnect === '1') {
        resumed += 1;
        return send({ case: 'reconnect', value: new ReconnectResponse() });
      }
      joined.push(name);
      return send({
        case: 'join',
        value: new JoinResponse({
          room: new Room({ sid: 'RM_1', name }),
          participant: new ParticipantInfo({
            sid: 'PA_1',
            identity: claims?.sub ?? '',
            state: ParticipantInfo_State.ACTIVE,
            permission: { canPublish: true, canSubscribe: true },
          }),
          serverInfo: new ServerInfo({ version: '1.9.0', protocol: 16 }),
          serverVersion: '1.9.0',
          subscriberPrimary: false,
          pingInterval: 5,
          pingTimeout: 15,
        }),
      });
    });
  });

  async function answer({ message }: SignalRequest): Promise<void> {
    switch (message.case) {
      case 'offer': {
        const sdp = (await peer?.answer(message.value.sdp)) ?? '';
        return send({ case: 'answer', value: new SessionDescription({ type: 'answer', sdp, id: message.value.id }) });
      }
      case 'trickle':
        return peer?.addCandidate(message.value.candidateInit);
      case 'addTrack': {
        const { cid, name, type, source, encryption } = message.value;
        const track = new TrackInfo({ sid: `TR_${published.length}`, name, type, source, encryption });
        published.push(track);
        return send({ case: 'trackPublished', value: new TrackPublishedResponse({ cid, track }) });
      }
      case 'ping':
        return send({ case: 'pong', value: message.value });
      default:
        return undefined;
    }
  }

  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  return {
    url: `ws://127.0.0.1:${port}`,
    joined,
    published,
    resumed: () => resumed,
    setPeer: (other: MediaPeer) => {
      peer = other;
    },
    /** Media candidates, sent after the answer. */
    trickle: (candidateInit: string) => send({ case: 'trickle', value: new TrickleRequest({ candidateInit }) }),
    /** A participant of the oracle joins or updates. */
    admit: (identity: string) =>
      send({
        case: 'update',
        value: {
          participants: [new ParticipantInfo({ sid: `PA_${identity}`, identity, state: ParticipantInfo_State.ACTIVE })],
        },
      } as Message),
    /** Cuts the signalling connection, as a network does. */
    drop: () => drop(),
    closeRoom: () =>
      send({
        case: 'leave',
        value: new LeaveRequest({ reason: DisconnectReason.ROOM_DELETED, action: LeaveRequest_Action.DISCONNECT }),
      }),
    close: () => app.close(),
  };
}
