// The alphabet of 3GPP TS 23.038: one septet a character, two for those of its extension table.
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
    ' !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extension = new Set('\f^{}\\[~]|€');

export interface MessageSize {
  /** Septets of GSM-7, or characters of UCS-2 when one of them is in no table of GSM-7. */
  readonly unit: 'septets' | 'characters';
  readonly used: number;
  /** The limit of one USSD message in that unit. */
  readonly limit: 182 | 80;
}

/** Size of a message and the limit of a phone. */
export function sizeOf(message: string): MessageSize {
  let septets = 0;
  for (const character of message) {
    if (basic.has(character)) septets += 1;
    else if (extension.has(character)) septets += 2;
    else return { unit: 'characters', used: message.length, limit: 80 };
  }
  return { unit: 'septets', used: septets, limit: 182 };
}
