const isDigit = (code: number) => /^\p{Decimal_Number}$/u.test(String.fromCodePoint(code));

/**
 * Replaces the decimal digits of every script by 0 to 9; all other characters are unchanged. Unicode encodes each set
 * of decimal digits as ten consecutive code points, from zero up (Unicode Standard, section 4.6).
 */
export function asciiDigits(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  return text.replaceAll(/\p{Decimal_Number}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (isDigit(zero - 1)) zero -= 1;
    return String((code - zero) % 10);
  });
}
