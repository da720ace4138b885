/** When the legacy prefixes were announced as such, 2026-01-01T00:00:00Z, as RFC 9745 writes it. */
const DEPRECATED_SINCE = '@1767225600';

/** Tells the caller of a legacy path where it lives now. Source: RFC 9745, RFC 8288, RFC 5829. */
export function deprecationHeaders(successor: string): Readonly<Record<string, string>> {
  return { deprecation: DEPRECATED_SINCE, link: `<${successor}>; rel="successor-version"` };
}
