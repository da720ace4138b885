import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

interface Media {
  readonly bytes: Buffer;
  readonly contentType?: string;
}

/** Reply instead of the media. */
type Answer = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** A homeserver on loopback, with the media and event endpoints of the Matrix client-server API. */
export class MatrixPeer {
  readonly token = `syt_${randomBytes(12).toString('hex')}`;
  readonly roomId = '!room:example.org';
  /** Requests as `METHOD path`, with their token. */
  readonly seen: { readonly path: string; readonly authorization: string | undefined }[] = [];
  connections = 0;
  /** Whether it lacks authenticated media, as older versions do. */
  isOld = false;
  readonly #media = new Map<string, Media | Answer>();
  readonly #events = new Map<string, object>();
  readonly #app: FastifyInstance;
  #port = 0;

  constructor() {
    this.#app = Fastify({ forceCloseConnections: true });
    this.#app.server.on('connection', () => {
      this.connections += 1;
    });
    this.#app.addHook('onRequest', async ({ url, headers }) => {
      this.seen.push({ path: url, authorization: headers.authorization });
    });
    this.#app.setNotFoundHandler((_, reply) => reply.code(404).send({ errcode: 'M_UNRECOGNIZED', error: 'no' }));
    this.#app.get<{ Params: { server: string; media: string } }>(
      '/_matrix/client/v1/media/download/:server/:media',
      (request, reply) => {
        if (this.isOld) return reply.callNotFound();
        return this.#isUser(request, reply) ? this.#send(request, reply) : reply;
      },
    );
    this.#app.get<{ Params: { server: string; media: string } }>(
      '/_matrix/media/v3/download/:server/:media',
      (request, reply) => {
        if (this.isOld) return this.#send(request, reply);
        return reply.code(404).send({ errcode: 'M_NOT_FOUND', error: 'Media is authenticated' });
      },
    );
    this.#app.get<{ Params: { room: string; event: string } }>(
      '/_matrix/client/v3/rooms/:room/event/:event',
      (request, reply) => {
        if (!this.#isUser(request, reply)) return reply;
        const event = this.#events.get(`${request.params.room}/${request.params.event}`);
        return event ?? reply.code(404).send({ errcode: 'M_NOT_FOUND', error: 'Event not found.' });
      },
    );
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<this> {
    this.#port = Number(new URL(await this.#app.listen({ host: '127.0.0.1', port: 0 })).port);
    return this;
  }

  close(): Promise<void> {
    return this.#app.close();
  }

  /** Stores a file and returns its content URI. */
  keep(content: string | Buffer, contentType?: string): string {
    const bytes = Buffer.from(content);
    return this.#keep(contentType === undefined ? { bytes } : { bytes, contentType });
  }

  /** Adds media with a custom reply. */
  answering(answer: Answer): string {
    return this.#keep(answer);
  }

  /** Adds an event with this content to the room and returns its id. */
  addEvent(content: object, type = 'm.room.message'): string {
    const eventId = `$${randomBytes(16).toString('base64url')}`;
    const event = { event_id: eventId, room_id: this.roomId, sender: '@asha:example.org', type, content };
    this.#events.set(`${this.roomId}/${eventId}`, event);
    return eventId;
  }

  /** Stores a file as an encrypted room does and returns the `file` of its event. */
  keepEncrypted(content: string | Buffer) {
    const [key, iv] = [randomBytes(32), Buffer.concat([randomBytes(8), Buffer.alloc(8)])];
    const cipher = createCipheriv('aes-256-ctr', key, iv);
    const bytes = Buffer.concat([cipher.update(content), cipher.final()]);
    const unpadded = (value: Buffer) => value.toString('base64').replace(/=+$/, '');
    return {
      v: 'v2',
      url: this.keep(bytes, 'application/octet-stream'),
      key: { kty: 'oct', alg: 'A256CTR', ext: true, key_ops: ['encrypt', 'decrypt'], k: key.toString('base64url') },
      iv: unpadded(iv),
      hashes: { sha256: unpadded(createHash('sha256').update(bytes).digest()) },
    };
  }

  #keep(media: Media | Answer): string {
    const id = randomBytes(12).toString('base64url');
    this.#media.set(id, media);
    return `mxc://example.org/${id}`;
  }

  #isUser({ headers }: FastifyRequest, reply: FastifyReply): boolean {
    const isUser = headers.authorization === `Bearer ${this.token}`;
    if (!isUser) reply.code(401).send({ errcode: 'M_UNKNOWN_TOKEN', error: 'Invalid access token passed.' });
    return isUser;
  }

  #send(request: FastifyRequest<{ Params: { server: string; media: string } }>, reply: FastifyReply): unknown {
    const { server, media: id } = request.params;
    const media = server === 'example.org' ? this.#media.get(id) : undefined;
    if (media === undefined) return reply.code(404).send({ errcode: 'M_NOT_FOUND', error: 'Not found' });
    if (typeof media === 'function') return media(request, reply);
    return reply.type(media.contentType ?? 'application/octet-stream').send(media.bytes);
  }
}
