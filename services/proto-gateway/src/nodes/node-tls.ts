import { createPrivateKey, X509Certificate } from 'node:crypto';

/** Why a certificate of an authority is of no use; `undefined` when it is. */
export function findCaProblem(pem: string): string | undefined {
  return readCertificate(pem) === undefined ? 'must be certificates in PEM' : undefined;
}

/** Why a certificate and its key are of no use at a moment, in ms since 1970. */
export function findIdentityProblem(
  cert: string,
  key: string,
  now: number,
): { readonly of: 'cert' | 'key'; readonly message: string } | undefined {
  const certificate = readCertificate(cert);
  if (certificate === undefined) return { of: 'cert', message: 'must be a certificate in PEM' };
  if (Date.parse(certificate.validTo) < now) return { of: 'cert', message: `expired on ${certificate.validTo}` };
  const privateKey = readKey(key);
  if (privateKey === undefined) return { of: 'key', message: 'must be a private key in PEM, without a passphrase' };
  if (!certificate.checkPrivateKey(privateKey)) return { of: 'key', message: 'does not belong to the certificate' };
  return undefined;
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function readKey(pem: string) {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
