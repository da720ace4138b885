import type { LanguageModel, ModelFile, ModelRequest } from '../models/language-model.js';
import { localModel } from '../models/local/local-model.js';
import { attachmentSettings } from '../plugins/attachments/settings.js';
import type { ProtocolName } from '../protocols/names.js';
import { type DoorOptions, openDoor } from '../protocols/open-protocol.fixture.js';

/** A PNG of one pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** The head of a WAV file, and a little silence. */
export const wav = Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'), Buffer.alloc(28)]);

export const dataUrl = (bytes: Buffer, type: string) => `data:${type};base64,${bytes.toString('base64')}`;

interface FilesOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly seesImages?: boolean;
  readonly hearsAudio?: boolean;
  readonly isOff?: boolean;
  readonly app?: DoorOptions;
}

/** An oracle with one protocol and a model that records its requests. */
export async function filesOracle(door: ProtocolName, options: FilesOptions = {}) {
  const { env = {}, seesImages = true, hearsAudio = false, isOff = false, app = {} } = options;
  const requests: ModelRequest[] = [];
  const local = localModel({ paceMs: 0 });
  const model: LanguageModel = {
    ...local,
    seesImages,
    hearsAudio,
    stream: (request, signal) => {
      requests.push(request);
      return local.stream(request, signal);
    },
  };
  const settings = new Map([...(app.settings ?? []), ['attachments', attachmentSettings.parse(env)]]);
  const features = { ...app.features, ...(isOff ? { attachments: false } : {}) };
  const service = await openDoor(door, { ...app, model, settings, features });
  const post = async (path: string, body: object, headers: Record<string, string> = {}, user = 'a') => {
    const reply = await fetch(`${service.base}${path}`, {
      method: 'POST',
      headers: { ...(await service.headersOf(user)), 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: reply.status, text: await reply.text() };
  };
  /** Files that the model received last: of the message to answer, and of those before it. */
  const received = () => {
    const messages = requests.at(-1)?.messages ?? [];
    return { last: messages.at(-1)?.files ?? [], all: messages.flatMap(({ files = [] }) => files) };
  };
  return { ...service, requests, post, received };
}

export type FilesOracle = Awaited<ReturnType<typeof filesOracle>>;

/** Kind, media type and bytes of files, for comparison. */
export function shapesOf(files: readonly ModelFile[]): unknown[] {
  return files.map((file) =>
    'bytes' in file ? [file.kind, file.mediaType, Buffer.from(file.bytes).toString('base64')] : [file.kind],
  );
}
