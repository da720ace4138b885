/** All objects reachable by property names: members, hidden members and members of prototypes. */
export function reachable(...roots: readonly unknown[]): Set<object> {
  const seen = new Set<object>();
  const waiting = [...roots];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if ((typeof one !== 'object' && typeof one !== 'function') || one === null || seen.has(one)) continue;
    seen.add(one);
    for (const key of Reflect.ownKeys(one)) {
      const member = Object.getOwnPropertyDescriptor(one, key);
      if (member !== undefined && 'value' in member) waiting.push(member.value);
    }
    waiting.push(Object.getPrototypeOf(one));
  }
  return seen;
}
