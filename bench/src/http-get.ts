import { type Agent, request } from 'node:http';

/** One GET; the body is read and dropped. Rejects when there is no reply. */
export function httpGet(
  url: string,
  headers: Record<string, string>,
  agent: Agent,
): Promise<{ readonly status: number; readonly ms: number }> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent }, (reply) => {
      reply.resume();
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, ms: performance.now() - start }));
      reply.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}
