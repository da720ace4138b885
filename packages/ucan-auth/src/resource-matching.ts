/**
 * Whether a granted resource covers a claimed one: the same text, or a grant that ends in `/*` or `:*` and a claim that goes
 * on after that boundary. A star anywhere else is a character like any other, and a claim that climbs (`..`) is not
 * covered by a family.
 */
export function coversResource(granted: string, claimed: string): boolean {
  if (granted === claimed) return true;
  if (!granted.endsWith('/*') && !granted.endsWith(':*')) return false;
  const boundary = granted.slice(0, -1);
  if (!claimed.startsWith(boundary) || claimed.length === boundary.length) return false;
  return !claimed
    .slice(boundary.length)
    .split('/')
    .some((segment) => segment === '.' || segment === '..');
}

/** Whether a granted ability covers a claimed one: the same, `*`, or `family/*` and a member of the family. */
export function coversAbility(granted: string, claimed: string): boolean {
  return granted === claimed || granted === '*' || (granted.endsWith('/*') && claimed.startsWith(granted.slice(0, -1)));
}
