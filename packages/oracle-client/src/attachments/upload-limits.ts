import type { OracleConnection } from '../requests/oracle-connection.js';
import { recordOf } from '../requests/record-of.js';
import type { UploadOutcome } from './attachment.js';

/** What an oracle says of what it takes. */
interface UploadLimits {
  readonly maxBytes?: number;
  readonly kinds?: readonly unknown[];
}

/** Asks an oracle what it takes: with the first file, and not again. One that does not say is asked with each. */
export class KnownLimits {
  readonly #connection: OracleConnection;
  #limits: Promise<UploadLimits> | undefined;

  constructor(connection: OracleConnection) {
    this.#connection = connection;
  }

  /** Why a file need not be sent; undefined where it may be taken. Never rejects. */
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

/** What it most likely is, by what the browser calls it; undefined for what only its bytes tell. */
function kindOf(type: string): string | undefined {
  if (type === 'application/pdf') return 'pdf';
  return /^(audio|image|text)\//.exec(type)?.[1];
}
