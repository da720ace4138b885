/** The origin of a homeserver that is named by a URL without a path, or by its host; undefined for anything else. */
export function homeserverOrigin(text: string): string | undefined {
  const trimmed = text.trim();
  const withScheme = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(withScheme)) return undefined;
  const { origin, pathname, search, hash, username, password } = new URL(withScheme);
  return `${pathname}${search}${hash}${username}${password}` === '/' ? origin.replace(/\.(?=:\d+$|$)/, '') : undefined;
}
