import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { covers, type Metadata, type NodeTls, type PositionRange, type Target } from '@mlango/grpc-channel';
import type { EnvProblem } from '@mlango/service-kit/env';
import { firstProblem, systemCode, systemReason } from '@mlango/service-kit/errors';
import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { INVALID_YAML } from '../catalog/operator-rules.js';
import { findCaProblem, findIdentityProblem, nodeTls, type TlsConfig } from './tls.js';

/** Channel implementations, by their name in `GRPC_CHANNEL`. */
export const CHANNELS = ['http2', 'grpc-js'] as const;
export type ChannelKind = (typeof CHANNELS)[number];

/** The settings that name the chain nodes. */
export interface TargetSettings extends TlsConfig {
  readonly GRPC_TARGETS: readonly string[];
}

export function checkTargets(config: TargetSettings): EnvProblem[] {
  const variable = 'GRPC_TARGETS';
  try {
    const nodes = nodesOf(config);
    if (new Set(nodes.map(({ target }) => target)).size < nodes.length) {
      return [{ variable, message: 'must name each node once' }];
    }
    return nodes.some(({ range = WHOLE }) => covers(range, undefined))
      ? []
      : [{ variable, message: 'must name a node without a last height, for the latest block' }];
  } catch (error) {
    return [{ variable, message: error instanceof Error ? error.message : String(error) }];
  }
}

const WHOLE = { from: undefined, to: undefined };

/** The chain nodes of a configuration. @throws {Error} for the operator, if they are invalid */
export function nodesOf(config: TargetSettings): readonly Target[] {
  const [first = '', ...others] = config.GRPC_TARGETS;
  if (others.length === 0 && NODES_FILE.test(first)) {
    if (config.GRPC_TLS) throw new Error('names a file, where TLS is a setting of each node: GRPC_TLS has no effect');
    return readNodesFile(first);
  }
  const wrong = config.GRPC_TARGETS.filter((text) => parseNodeTarget(text) === undefined);
  if (wrong.length > 0 || first === '') {
    const message =
      'must be a comma-separated list of host:port with ports from 1 to 65535, or host:port@from-to with heights, or a file of YAML';
    throw new Error(wrong.length === 0 ? message : `${message}; not such a node: ${wrong.join(', ')}`);
  }
  const tls = nodeTls(config);
  return config.GRPC_TARGETS.flatMap((text): Target[] => {
    const parsed = parseNodeTarget(text);
    return parsed === undefined ? [] : [{ target: parsed.address, range: parsed.heights, tls }];
  });
}

const NODES_FILE = /\.ya?ml$/i;

/** A chain node as an operator names it. */
export interface NodeTarget {
  /** `host:port` */
  readonly address: string;
  readonly heights: PositionRange;
}

/** Container names may have underscores. */
const TARGET = /^((?:[A-Za-z0-9._-]+|\[([0-9A-Fa-f:.]+)\]):([0-9]{1,5}))(?:@([0-9]{1,18})?-([0-9]{1,18})?)?$/;
const MAX_PORT = 65_535;

/** Parses `host:port`, with an optional range of heights: `@1-5000000`, `@5000001-`, `@-5000000`. */
export function parseNodeTarget(text: string): NodeTarget | undefined {
  const [, address, ipv6, port, first, last] = TARGET.exec(text) ?? [];
  if (address === undefined || (ipv6 !== undefined && !isIPv6(ipv6))) return undefined;
  if (Number(port) < 1 || Number(port) > MAX_PORT) return undefined;
  const heights = { from: asHeight(first), to: asHeight(last) };
  const isEmpty = heights.to !== undefined && heights.to < (heights.from ?? 1n);
  return isEmpty ? undefined : { address, heights };
}

function asHeight(digits: string | undefined): bigint | undefined {
  return digits === undefined ? undefined : BigInt(digits);
}

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

/** Metadata names reserved by the protocol. */
const RESERVED = /^(?:grpc-|te$|content-type$|user-agent$|host$|connection$|x-cosmos-block-height$)/;

/**
 * Reads a YAML file of nodes, each with its own TLS, server name and metadata. Secrets may be in separate files.
 *
 * @throws {Error} for the operator, with the invalid entry
 */
function readNodesFile(path: string): readonly Target[] {
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
      const resolved = typeof value === 'string' ? value : readText(value.file).trim();
      if (!/^[\x20-\x7e]{1,4096}$/.test(resolved)) throw fail(`metadata.${name}`, 'must be printable ASCII');
      return [name, resolved];
    });
    const certificates =
      tls === false ? undefined : tls === true ? {} : readTls(tls, (field, text) => fail(field, text));
    return { target: target.address, range: target.heights, tls: certificates, serverName, metadata };
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
    throw new Error(`${path}${line}: ${INVALID_YAML}`);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`${path} cannot be read: ${systemReason(systemCode(error) ?? 'unknown error')}`);
  }
}
