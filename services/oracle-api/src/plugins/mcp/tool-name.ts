import { createHash } from 'node:crypto';

const nameChars = 64;

/**
 * What a model calls the tool of a server: `<server>__<tool>`. Names of servers have no `_`, so two servers never meet. What
 * models do not accept, or is too long, is replaced, and a digest of the name keeps it apart from others like it.
 */
export function toolNameFor(server: string, tool: string): string {
  const plain = `${server}__${tool}`;
  if (plain.length <= nameChars && /^[A-Za-z0-9_-]+$/.test(tool)) return plain;
  const digest = createHash('sha256').update(tool).digest('hex').slice(0, 8);
  const kept = plain.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, nameChars - digest.length - 1);
  return `${kept}_${digest}`;
}
