/** Types of frames. Source: RFC 9113, section 6. */
export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAG = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

/** Error codes of resets and GOAWAYs. Source: RFC 9113, section 7. */
export const ERROR = {
  noError: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  streamClosed: 5,
  frameSize: 6,
  refusedStream: 7,
  cancel: 8,
  compression: 9,
  enhanceYourCalm: 11,
  inadequateSecurity: 12,
} as const;

/** What a client says first. */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
export const FRAME_HEADER_BYTES = 9;
export const PING_BYTES = 8;
/** The largest payload of a frame while no setting says otherwise. */
export const DEFAULT_FRAME_BYTES = 16_384;
export const DEFAULT_WINDOW_BYTES = 65_535;
export const MAX_WINDOW_BYTES = 2 ** 31 - 1;

/** The connection is of no use any more; `code` is what the other side is told. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function writeFrame(type: number, flags: number, streamId: number, payload: Uint8Array = NOTHING): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length);
  fillFrameHeader(frame, 0, payload.length, type, flags, streamId);
  frame.set(payload, FRAME_HEADER_BYTES);
  return frame;
}

/** Writes what stands before a payload of a length. */
export function fillFrameHeader(
  bytes: Buffer,
  start: number,
  length: number,
  type: number,
  flags: number,
  streamId: number,
): void {
  bytes[start] = length >>> 16;
  bytes[start + 1] = length >>> 8;
  bytes[start + 2] = length;
  bytes[start + 3] = type;
  bytes[start + 4] = flags;
  bytes[start + 5] = streamId >>> 24;
  bytes[start + 6] = streamId >>> 16;
  bytes[start + 7] = streamId >>> 8;
  bytes[start + 8] = streamId;
}

/** A frame that carries numbers of four bytes each. */
export function writeNumbers(type: number, streamId: number, ...numbers: readonly number[]): Buffer {
  const payload = Buffer.allocUnsafe(numbers.length * 4);
  for (const [at, number] of numbers.entries()) payload.writeUInt32BE(number, at * 4);
  return writeFrame(type, 0, streamId, payload);
}

/** A number of four bytes in a payload, which has a certain size if one is given. */
export function readNumber(payload: Buffer, at: number, size = payload.length): number {
  if (payload.length < at + 4 || payload.length !== size) {
    throw new ConnectionError(ERROR.frameSize, 'a frame is cut short');
  }
  return payload.readUInt32BE(at);
}

const NOTHING = new Uint8Array();
