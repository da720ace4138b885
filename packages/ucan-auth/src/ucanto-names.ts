import type { Ability, DID, URI } from '@ucanto/interface';

// ucanto gives its names template types; these turn plain text into them, checked.

function isDid(text: string): text is DID {
  return /^did:[^:]+:./.test(text);
}

/** @throws TypeError when the text is not a DID. */
export function didText(text: string): DID {
  if (!isDid(text)) throw new TypeError('not a DID');
  return text;
}

export function isUri(input: unknown): input is URI {
  return typeof input === 'string' && /^[^:]+:./.test(input);
}

function isAbility(text: string): text is Ability {
  return text === '*' || /^[^/]+\/./.test(text);
}

/** @throws TypeError when the text is neither `*` nor has a segment before and after a slash. */
export function abilityText(text: string): Ability {
  if (!isAbility(text)) throw new TypeError('not an ability');
  return text;
}
