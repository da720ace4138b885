/** The basic character set of 3GPP TS 23.038, in its order without the escape: one septet each. */
const basicSet =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
  ' !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** Its extension table: an escape and a code, so two septets each. */
const extensionSet = '\f^{}\\[~]|€';

const septetsOf = new Map<string, number>([
  ...[...basicSet].map((character) => [character, 1] as const),
  ...[...extensionSet].map((character) => [character, 2] as const),
]);

/** How many septets a text takes in the GSM 7-bit default alphabet, or undefined if a character is not in it. */
export function countSeptets(text: string): number | undefined {
  let septets = 0;
  for (const character of text) {
    const cost = septetsOf.get(character);
    if (cost === undefined) return undefined;
    septets += cost;
  }
  return septets;
}
