import type { NodeTls } from '@mlango/grpc-channel';
import { type EnvProblem, flag } from '@mlango/service-kit/env';
import { z } from 'zod';
import { findCaProblem, findIdentityProblem } from './nodes/node-tls.js';

const MAX_PEM_CHARACTERS = 1024 * 1024;
const pem = () => z.string().max(MAX_PEM_CHARACTERS, 'is too long for certificates').optional();

/** Each of the three is read from the file that the variable with `_FILE` at its end names. */
export const tlsShape = {
  /** TLS to every node of `GRPC_TARGETS`. */
  GRPC_TLS: flag(false),
  /** Who signs the certificates of nodes; the authorities that come with Node.js unless given. */
  GRPC_CA: pem(),
  /** What the gateway shows nodes that ask who it is, with its key. */
  GRPC_CERT: pem(),
  GRPC_KEY: pem(),
};

type TlsConfig = z.output<z.ZodObject<typeof tlsShape>>;

/** A certificate that is set and not used, or cannot be used, is worse than a service that does not start. */
export function checkTls({ GRPC_TLS, GRPC_CA: ca, GRPC_CERT: cert, GRPC_KEY: key }: TlsConfig): EnvProblem[] {
  if (!GRPC_TLS) {
    const given = Object.entries({ GRPC_CA: ca, GRPC_CERT: cert, GRPC_KEY: key }).filter(
      ([, text]) => text !== undefined,
    );
    return given.map(([variable]) => ({ variable, message: 'is set, but GRPC_TLS is not true' }));
  }
  return [...checkCa(ca), ...checkIdentity(cert, key)];
}

function checkCa(ca: string | undefined): EnvProblem[] {
  const message = ca === undefined ? undefined : findCaProblem(ca);
  return message === undefined ? [] : [{ variable: 'GRPC_CA', message }];
}

function checkIdentity(cert: string | undefined, key: string | undefined): EnvProblem[] {
  if (cert === undefined && key === undefined) return [];
  if (key === undefined) return [{ variable: 'GRPC_KEY', message: 'is needed beside GRPC_CERT' }];
  if (cert === undefined) return [{ variable: 'GRPC_CERT', message: 'is needed beside GRPC_KEY' }];
  const problem = findIdentityProblem(cert, key, Date.now());
  if (problem === undefined) return [];
  return [{ variable: problem.of === 'cert' ? 'GRPC_CERT' : 'GRPC_KEY', message: problem.message }];
}

/** `undefined` when nodes are spoken to without TLS. */
export function nodeTls({ GRPC_TLS, GRPC_CA: ca, GRPC_CERT: cert, GRPC_KEY: key }: TlsConfig): NodeTls | undefined {
  if (!GRPC_TLS) return undefined;
  return cert === undefined || key === undefined ? { ca } : { ca, identity: { cert, key } };
}
