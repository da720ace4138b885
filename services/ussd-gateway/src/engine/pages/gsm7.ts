/** Basic character set of 3GPP TS 23.038, in its order without the escape: one septet each. */
const basicSet =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
  ' !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** Extension table: an escape and a code, so two septets each. */
const extensionSet = '\f^{}\\[~]|€';

/** By UTF-16 unit; 0 for a character in neither table: no character of the tables needs two units. */
const septetsOf = new Uint8Array(0x1_00_00);
for (const character of basicSet) septetsOf[character.charCodeAt(0)] = 1;
for (const character of extensionSet) septetsOf[character.charCodeAt(0)] = 2;

/** Number of septets of a text in the GSM 7-bit default alphabet; undefined if it has a character outside of it. */
export function countSeptets(text: string): number | undefined {
  let septets = 0;
  for (let at = 0; at < text.length; at++) {
    const cost = septetsOf[text.charCodeAt(at)] ?? 0;
    if (cost === 0) return undefined;
    septets += cost;
  }
  return septets;
}
