// The alphabet of 3GPP TS 23.038: one septet a character, two for those of its extension table.
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
  ' !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extension = '\f^{}\\[~]|€';

/** The most one message holds. */
const limits = { septets: 182, characters: 80 };

/** What a message takes of the room there is: in septets, or in characters when one needs UCS-2. */
export function sizeOf(message) {
  let septets = 0;
  for (const character of message) {
    if (basic.includes(character)) septets += 1;
    else if (extension.includes(character)) septets += 2;
    else return { unit: 'characters', used: message.length, left: limits.characters - message.length };
  }
  return { unit: 'septets', used: septets, left: limits.septets - septets };
}
