import { ConnectionError, ERROR, FRAME } from './frames.js';

/** @throws {ConnectionError} on a frame that may not come now, or not on this stream; stream 0 is the connection */
export function checkOrder(type: number, streamId: number, isInHeaders: boolean, isReady: boolean): void {
  const isExpected = isInHeaders ? type === FRAME.continuation : isReady || mayComeFirst(type);
  if (!isExpected) throw new ConnectionError(ERROR.protocol, 'it sends frames out of order');
  if (streamId === 0 ? type === FRAME.priority : isOfConnection(type)) {
    throw new ConnectionError(ERROR.protocol, 'it sends a frame where it does not belong');
  }
}

function mayComeFirst(type: number): boolean {
  return type === FRAME.settings || type === FRAME.goaway;
}

function isOfConnection(type: number): boolean {
  return type === FRAME.settings || type === FRAME.ping || type === FRAME.goaway;
}
