import { readFileSync } from 'node:fs';
import type { Metadata, NodeTls, Target } from '@mlango/grpc-channel';
import { firstProblem, systemCode, systemReason } from '@mlango/service-kit/errors';
import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { parseNodeTarget } from './nodes/node-target.js';
import { findCaProblem, findIdentityProblem } from './nodes/node-tls.js';
import { NO_YAML } from './read-rules-file.js';

const MAX_FILE_CHARACTERS = 256 * 1024;
const MAX_NODES = 100;
const file = z.strictObject({ file: z.string() });
const schema = z.strictObject({
  nodes: z
    .array(
      z.strictObject({
        /** As an entry of `GRPC_TARGETS`: `host:port`, or `host:port@from-to`. */
        target: z.string(),
        tls: z
          .union([z.boolean(), z.strictObject({ ca: file.optional(), cert: file.optional(), key: file.optional() })])
          .default(false),
        serverName: z
          .string()
          .regex(/^[A-Za-z0-9._-]{1,253}$/, 'must be a host name')
          .optional(),
        metadata: z
          .record(z.string().regex(/^[a-z0-9_.-]{1,64}(?<!-bin)$/, 'must be lower case'), z.union([z.string(), file]))
          .default({}),
      }),
    )
    .min(1)
    .max(MAX_NODES),
});

/** Names that are the protocol's own. */
const RESERVED = /^(?:grpc-|te$|content-type$|user-agent$|host$|connection$|x-cosmos-block-height$)/;

/**
 * Reads the nodes of a file of YAML, each with its own TLS, server name and metadata. Secrets may stand in files of their own.
 *
 * @throws {Error} in words for the operator, with the entry at fault
 */
export function readNodesFile(path: string): readonly Target[] {
  const text = readText(path);
  if (text.length > MAX_FILE_CHARACTERS) throw new Error(`${path} is longer than ${MAX_FILE_CHARACTERS} characters`);
  const parsed = schema.safeParse(parseYaml(path, text));
  if (!parsed.success) throw new Error(`${path}: ${firstProblem(parsed.error)}`);
  return parsed.data.nodes.map((node, index) => {
    const fail = (field: string, message: string): Error => new Error(`${path}: nodes.${index}.${field}: ${message}`);
    const target = parseNodeTarget(node.target);
    if (target === undefined) throw fail('target', 'must be host:port with a port from 1 to 65535');
    const { tls, serverName } = node;
    const metadata = Object.entries(node.metadata).map(([name, value]): Metadata[number] => {
      if (RESERVED.test(name)) throw fail(`metadata.${name}`, 'is a name of the protocol itself');
      const given = typeof value === 'string' ? value : readText(value.file).trim();
      if (!/^[\x20-\x7e]{1,4096}$/.test(given)) throw fail(`metadata.${name}`, 'must be printable ASCII');
      return [name, given];
    });
    const certificates =
      tls === false ? undefined : tls === true ? {} : readTls(tls, (field, text) => fail(field, text));
    return { target: target.address, holds: target.heights, tls: certificates, serverName, metadata };
  });
}

interface TlsFiles {
  readonly ca?: { readonly file: string } | undefined;
  readonly cert?: { readonly file: string } | undefined;
  readonly key?: { readonly file: string } | undefined;
}

function readTls({ ca, cert, key }: TlsFiles, fail: (field: string, message: string) => Error): NodeTls {
  const authority = ca === undefined ? undefined : readText(ca.file);
  const problem = authority === undefined ? undefined : findCaProblem(authority);
  if (problem !== undefined) throw fail('tls.ca', problem);
  if (cert === undefined && key === undefined) return { ca: authority };
  if (cert === undefined || key === undefined) throw fail('tls', 'needs cert and key together');
  const identity = { cert: readText(cert.file), key: readText(key.file) };
  const wrong = findIdentityProblem(identity.cert, identity.key, Date.now());
  if (wrong !== undefined) throw fail(`tls.${wrong.of}`, wrong.message);
  return { ca: authority, identity };
}

function parseYaml(path: string, text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    const line = error instanceof YAMLParseError ? `:${error.linePos?.[0].line}` : '';
    throw new Error(`${path}${line}: ${NO_YAML}`);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`${path} cannot be read: ${systemReason(systemCode(error) ?? 'unknown error')}`);
  }
}
