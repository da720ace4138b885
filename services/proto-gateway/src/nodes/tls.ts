import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { NodeTls } from '@mlango/grpc-channel';
import { type EnvProblem, flag } from '@mlango/service-kit/env';
import { z } from 'zod';

/** Why a certificate of an authority is unusable; `undefined` if it is usable. */
export function findCaProblem(pem: string): string | undefined {
  return readCertificate(pem) === undefined ? 'must be certificates in PEM' : undefined;
}

/** Why a certificate and its key are unusable at a time, in ms since 1970. */
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

const MAX_PEM_CHARACTERS = 1024 * 1024;
const pem = () => z.string().max(MAX_PEM_CHARACTERS, 'is too long for certificates').optional();

/** Each of the three is read from the file in the variable with `_FILE` at its end. */
export const tlsShape = {
  GRPC_TLS: flag(false).describe('TLS to every node; versions 1.2 and 1.3'),
  GRPC_CA: pem().meta({ description: 'Trusted certificate authorities, in PEM', shownDefault: "Node.js's own" }),
  GRPC_CERT: pem().describe('The client certificate of the gateway, in PEM; requires `GRPC_KEY`'),
  GRPC_KEY: pem().describe('Key of that certificate, in PEM'),
};

export type TlsConfig = z.output<z.ZodObject<typeof tlsShape>>;

/** Refuses to start with a certificate that is set but unused or unusable. */
export function checkTls({ GRPC_TLS, GRPC_CA: ca, GRPC_CERT: cert, GRPC_KEY: key }: TlsConfig): EnvProblem[] {
  if (!GRPC_TLS) {
    const configured = Object.entries({ GRPC_CA: ca, GRPC_CERT: cert, GRPC_KEY: key }).filter(
      ([, text]) => text !== undefined,
    );
    return configured.map(([variable]) => ({ variable, message: 'is set, but GRPC_TLS is not true' }));
  }
  return [...checkCa(ca), ...checkIdentity(cert, key)];
}

function checkCa(ca: string | undefined): EnvProblem[] {
  const message = ca === undefined ? undefined : findCaProblem(ca);
  return message === undefined ? [] : [{ variable: 'GRPC_CA', message }];
}

function checkIdentity(cert: string | undefined, key: string | undefined): EnvProblem[] {
  if (cert === undefined && key === undefined) return [];
  if (key === undefined) return [{ variable: 'GRPC_KEY', message: 'is required with GRPC_CERT' }];
  if (cert === undefined) return [{ variable: 'GRPC_CERT', message: 'is required with GRPC_KEY' }];
  const problem = findIdentityProblem(cert, key, Date.now());
  if (problem === undefined) return [];
  return [{ variable: problem.of === 'cert' ? 'GRPC_CERT' : 'GRPC_KEY', message: problem.message }];
}

/** `undefined` without TLS. */
export function nodeTls({ GRPC_TLS, GRPC_CA: ca, GRPC_CERT: cert, GRPC_KEY: key }: TlsConfig): NodeTls | undefined {
  if (!GRPC_TLS) return undefined;
  return cert === undefined || key === undefined ? { ca } : { ca, identity: { cert, key } };
}
