import { createOutbound, type OutboundOptions } from '@mlango/outbound/outbound';
import { headersOf, newSession, type TestOptions, testApp } from '../../../test/app.fixture.js';
import type { LanguageModel, ModelRequest } from '../../models/language-model.js';
import { localModel } from '../../models/local/local-model.js';
import type { MatrixPeer } from './matrix-peer.fixture.js';
import { attachmentSettings } from './settings.js';

export interface AttachmentsOptions extends TestOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly way?: Partial<OutboundOptions>;
  readonly seesImages?: boolean;
  readonly contextTokens?: number;
}

/** An oracle that may read from the peer, with a model that records its requests. */
export async function attachmentsOracle(peer: MatrixPeer, options: AttachmentsOptions = {}) {
  const { env = {}, way = {}, seesImages = true, contextTokens, ...rest } = options;
  const requests: ModelRequest[] = [];
  const local = localModel({ paceMs: 0 });
  const model: LanguageModel = {
    ...local,
    seesImages,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    stream: (request, signal) => {
      requests.push(request);
      return local.stream(request, signal);
    },
  };
  const outbound = createOutbound({ privateHosts: [{ host: '127.0.0.1' }], ...way });
  const settings = attachmentSettings.parse({ MATRIX_HOMESERVERS: peer.origin, ...env });
  const { app, deps } = await testApp({ model, outbound, settings: new Map([['attachments', settings]]), ...rest });
  const own = await headersOf('a');
  const matrix = { 'x-matrix-access-token': peer.token, 'x-matrix-homeserver': peer.origin };
  const session = await newSession(app, own);

  const send = (payload: object, headers: Record<string, string> = matrix) =>
    app.inject({ method: 'POST', url: `/messages/${session}`, headers: { ...own, ...headers }, payload });
  /** Returns the files as the model received them. */
  async function filesFor(attachments: object[], payload: object = {}, headers?: Record<string, string>) {
    const before = requests.length;
    const reply = await send({ message: 'Have a look', attachments, ...payload }, headers);
    if (reply.statusCode !== 200) throw new Error(reply.body);
    return requests[before]?.messages.at(-1)?.files ?? [];
  }
  /** Returns the reason why a file could not be read; undefined if it could. */
  async function problemOf(attachment: object, payload: object = {}, headers?: Record<string, string>) {
    const [file] = await filesFor([fileOf(attachment)], payload, headers);
    return file?.kind === 'unread' ? file.reason : undefined;
  }
  async function textOf(attachment: object, payload: object = {}, headers?: Record<string, string>) {
    const [file] = await filesFor([fileOf(attachment)], payload, headers);
    return file?.kind === 'text' ? file.text : file;
  }
  const close = async () => {
    await app.close();
    await outbound.close();
  };
  return { app, deps, own, matrix, session, requests, send, filesFor, problemOf, textOf, close };
}

function fileOf(attachment: object) {
  return { filename: 'notes.txt', mimetype: 'text/plain', ...attachment };
}
