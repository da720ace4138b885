/** 128 random bits in hex. Unlike `crypto.randomUUID`, there also where a page is not served in a secure context. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
