import { X509Certificate } from 'node:crypto';
import { z } from 'zod';

const longestPem = 1_048_576;

/** Certificates of authorities, as PEM. */
export const certificates = () =>
  z
    .string()
    .max(longestPem, 'is too long for certificates')
    .refine(isCertificate, 'is no certificate in PEM')
    .optional();

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}
