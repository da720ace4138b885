import type { OracleConnection } from './requests/oracle-connection.js';
import { OracleRequestError } from './requests/request-error.js';
import { errorOf, recordOf } from './requests/values.js';

/** A file stored by an oracle; sent as is with messages of its session. */
export type IAttachment = Readonly<Record<string, unknown>> & {
  readonly attachmentId: string;
  readonly filename: string;
  /** Media type detected from the bytes. */
  readonly mimetype: string;
  /** Bytes. */
  readonly size: number;
  /** The session it was uploaded for. */
  readonly sessionId: string;
};

/**
 * Why a file was not uploaded: it is larger than the limit, of an unsupported kind, the user's storage is full, too many uploads
 * at once, the user cancelled it, no connection, or another reason.
 */
export type UploadProblem = 'too_large' | 'unsupported' | 'full' | 'busy' | 'aborted' | 'unreached' | 'refused';

export type UploadOutcome =
  | { readonly attachment: IAttachment }
  | {
      readonly problem: UploadProblem;
      readonly message: string;
      /** Size limit for a file that is too large, if the oracle reports one. */
      readonly maxBytes?: number;
    };

export interface UploadOptions {
  /** Called with how much of it is sent, 0 to 1. */
  readonly onProgress?: (sent: number) => void;
  readonly signal?: AbortSignal;
  /** Default: the one that the chat shows. A function is called once it is known that the file may be taken. */
  readonly sessionId?: string | (() => Promise<string>);
}

const problems: Readonly<Record<number, UploadProblem>> = {
  0: 'unreached',
  409: 'full',
  413: 'too_large',
  415: 'unsupported',
  429: 'busy',
  503: 'busy',
};

/** Uploads a file for a session. Never rejects: failures are in the outcome. */
export async function uploadAttachment(
  connection: OracleConnection,
  sessionId: string,
  file: File,
  options: UploadOptions,
): Promise<UploadOutcome> {
  const query = new URLSearchParams({ sessionId, filename: file.name });
  try {
    const uploaded = await connection.upload<Omit<IAttachment, 'sessionId'>>(`/attachments?${query}`, file, options);
    return { attachment: { ...uploaded, sessionId } as IAttachment };
  } catch (error) {
    return options.signal?.aborted === true ? { problem: 'aborted', message: 'Aborted' } : problemOf(error);
  }
}

/** The upload problem for an error. */
export function problemOf(error: unknown): UploadOutcome {
  const status = error instanceof OracleRequestError ? error.statusCode : undefined;
  return { problem: problems[status ?? -1] ?? 'refused', message: errorOf(error).message };
}

/** Upload limits reported by an oracle. */
interface UploadLimits {
  readonly maxBytes?: number;
  readonly kinds?: readonly unknown[];
}

/** Reads the upload limits with the first file and caches them. Unreported limits are read again with each file. */
export class KnownLimits {
  readonly #connection: OracleConnection;
  #limits: Promise<UploadLimits> | undefined;

  constructor(connection: OracleConnection) {
    this.#connection = connection;
  }

  /** Why a file cannot be sent; undefined if it may be accepted. Never rejects. */
  async problemOf(file: Pick<File, 'size' | 'type'>, signal?: AbortSignal): Promise<UploadOutcome | undefined> {
    this.#limits ??= this.#connection
      .json('/attachments', signal === undefined ? {} : { signal })
      .then(limitsIn)
      .catch(() => {
        this.#limits = undefined;
        return {};
      });
    const { maxBytes, kinds } = await this.#limits;
    if (maxBytes !== undefined && file.size > maxBytes) {
      return { problem: 'too_large', message: `The file has more than ${maxBytes} bytes`, maxBytes };
    }
    const kind = kindOf(file.type);
    if (kinds === undefined || kind === undefined || kinds.includes(kind)) return undefined;
    return { problem: 'unsupported', message: `The oracle reads: ${kinds.join(', ')}` };
  }
}

function limitsIn(reply: unknown): UploadLimits {
  const { maxBytes, kinds } = recordOf(reply);
  return {
    ...(typeof maxBytes === 'number' ? { maxBytes } : {}),
    ...(Array.isArray(kinds) ? { kinds } : {}),
  };
}

/** The likely media type by the browser's type; undefined if it depends on the bytes. */
function kindOf(type: string): string | undefined {
  if (type === 'application/pdf') return 'pdf';
  return /^(audio|image|text)\//.exec(type)?.[1];
}
