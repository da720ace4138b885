/** Bytes of one line: an event of a stream, or the whole of a reply without a stream. */
export const lineBytes = 1024 * 1024;

/** Bytes of a whole reply. The longest accepted answer takes less, word by word. */
export const replyBytes = 64 * 1024 * 1024;

const newline = 10;

/** The reply with a limited body: it fails when the body, or one line of it, exceeds its limit. */
export function boundedReply(reply: Response): Response {
  if (reply.body === null) return reply;
  let bytes = 0;
  let lineBegan = 0;
  // Frames of Amazon's event streams are binary, without lines.
  const hasLines = reply.headers.get('content-type')?.includes('vnd.amazon.eventstream') !== true;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const lineEnd = chunk.lastIndexOf(newline);
      if (lineEnd !== -1) lineBegan = bytes + lineEnd + 1;
      bytes += chunk.length;
      if (bytes > replyBytes || (hasLines && bytes - lineBegan > lineBytes))
        controller.error(new Error('the reply is too long'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = reply;
  return new Response(reply.body.pipeThrough(limit), { status, statusText, headers });
}
