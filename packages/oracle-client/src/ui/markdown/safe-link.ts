export interface SafeLink {
  readonly href: string;
  /** Who is behind it; undefined of an address to write to. */
  readonly host: string | undefined;
}

/**
 * A link as it may be followed: http, https and mailto alone, and nobody's name before the host, which only ever pretends to be one.
 * Undefined for all others, those within the page too: whoever writes it does not know where it is read.
 */
export function safeLink(target: string): SafeLink | undefined {
  if (!/^(?:https?:\/\/|mailto:)/i.test(target) || !URL.canParse(target)) return undefined;
  const { protocol, host, href, username, password } = new URL(target);
  if (protocol === 'mailto:') return { href, host: undefined };
  return username === '' && password === '' ? { href, host } : undefined;
}
