const introduction =
  /\b(?:my name is|my name's|call me|jina langu ni)\s+(\p{L}[\p{L}\p{M}'’-]*)((?:\s+\p{L}[\p{L}\p{M}'’-]*){0,2})/iu;

/** The name in "my name is Asha Mwangi" or "call me asha": one word, and up to two more that begin with a capital. */
export function nameGivenIn(text: string): string | undefined {
  const match = introduction.exec(text);
  const first = match?.[1];
  if (first === undefined) return undefined;
  const following = match?.[2]?.trim().split(/\s+/) ?? [];
  const end = following.findIndex((word) => !/^\p{Lu}/u.test(word));
  const name = [first, ...following.slice(0, end === -1 ? undefined : end)].join(' ');
  return name.length <= 60 ? name.replace(/^./u, (letter) => letter.toUpperCase()) : undefined;
}
