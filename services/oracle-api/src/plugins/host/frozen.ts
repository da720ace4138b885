/** What all plugins of a turn are told of it, so that none can write into it for the next: plain objects and lists, all the way down. */
export function frozen<Told>(told: Told): Told {
  if (typeof told !== 'object' || told === null || Object.isFrozen(told)) return told;
  if (!Array.isArray(told) && Object.getPrototypeOf(told) !== Object.prototype) return told;
  Object.freeze(told);
  for (const part of Object.values(told)) frozen(part);
  return told;
}
