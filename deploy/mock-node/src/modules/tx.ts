import type { DescMessage, FileRegistry, JsonObject, JsonValue } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { blockAt } from '../chain-clock.js';
import { textAt } from '../fixtures/template.js';
import { bytesOf, jsonOf } from '../serving/json-message.js';
import type { JsonServices } from '../serving/json-service.js';
import { NOT_UTF8 } from '../serving/raw-reply.js';
import { StatusError } from '../status-error.js';
import { blockReply, requestedBlock } from './blocks.js';
import type { KnownTx, Mempool } from './mempool.js';

const GAS_USED = '81234';
const TEST_WALLET = 'ixo19rl4cm2hmr8afy4kldpxz3fka4jguq0ar4n0mx';
/** A transaction with this memo has an event with bytes that are not UTF-8, as contracts make them. */
const NOT_UTF8_MEMO = 'not-utf8';

/** Transactions: a sent one is in the last block at once, with any content; no balance changes. */
export function txService(registry: FileRegistry, mempool: Mempool): JsonServices {
  const read = (type: string, bytes: Uint8Array) =>
    jsonOf(messageOf(registry, `cosmos.tx.v1beta1.${type}`), bytes, registry);
  const decode = (bytes: Buffer): JsonObject => {
    try {
      const raw = read('TxRaw', bytes);
      const part = (name: string) => Buffer.from(textAt(raw, name), 'base64');
      const signatures = raw['signatures'] ?? [];
      return {
        body: read('TxBody', part('body_bytes')),
        auth_info: read('AuthInfo', part('auth_info_bytes')),
        signatures,
      };
    } catch {
      throw new StatusError(status.INVALID_ARGUMENT, 'tx parse error');
    }
  };
  const bytesIn = (request: JsonObject): Buffer => {
    const bytes = Buffer.from(textAt(request, 'tx_bytes'), 'base64');
    if (bytes.length === 0) throw new StatusError(status.INVALID_ARGUMENT, 'empty txBytes is not allowed');
    return bytes;
  };
  const response = (known: KnownTx): JsonObject => {
    const tx = decode(known.bytes);
    return {
      height: String(known.block.height),
      txhash: known.hash,
      gas_wanted: gasOf(tx),
      gas_used: GAS_USED,
      tx: { '@type': '/cosmos.tx.v1beta1.Tx', ...tx },
      timestamp: new Date(known.block.timeMs).toISOString().replace('.000', ''),
      events: [
        { type: 'tx', attributes: [{ key: 'fee', value: '5000uixo', index: true }] },
        ...(memoOf(tx) === NOT_UTF8_MEMO ? [{ type: 'wasm', attributes: [{ key: 'data', value: NOT_UTF8 }] }] : []),
      ],
    };
  };
  const first = mempool.add(firstTransaction(registry), blockAt(2));
  const example = { tx_bytes: first.bytes.toString('base64') };
  return {
    'cosmos.tx.v1beta1.Service': {
      Simulate: {
        example,
        answer: (request) => {
          decode(bytesIn(request));
          return { gas_info: { gas_wanted: '0', gas_used: GAS_USED }, result: { log: '', events: [] } };
        },
      },
      GetTx: {
        example: { hash: first.hash },
        answer: (request) => {
          const hash = textAt(request, 'hash');
          const known = mempool.find(hash);
          if (known === undefined) throw new StatusError(status.NOT_FOUND, `tx not found: ${hash}`);
          return { tx: decode(known.bytes), tx_response: response(known) };
        },
      },
      BroadcastTx: {
        example,
        answer: (request, block) => {
          const bytes = bytesIn(request);
          decode(bytes);
          return { tx_response: { txhash: mempool.add(bytes, block).hash, height: '0', raw_log: '[]' } };
        },
      },
      GetTxsEvent: {
        example: { query: 'tx.height=2' },
        answer: (request) => {
          const asked = textAt(request, 'query') || firstOf(request['events']);
          if (asked === '') throw new StatusError(status.INVALID_ARGUMENT, 'query cannot be empty');
          const found = mempool.all().filter((known) => isMeant(asked, known, decode(known.bytes)));
          const responses = found.map(response);
          return { txs: found.map(({ bytes }) => decode(bytes)), tx_responses: responses, total: String(found.length) };
        },
      },
      GetBlockWithTxs: {
        example: { height: '2' },
        answer: (request, latest) => {
          const named = requestedBlock(request, latest);
          const { block_id, block } = blockReply(named, mempool);
          const txs = mempool.at(named.height).map(({ bytes }) => decode(bytes));
          return { txs, block_id, block, pagination: { total: String(txs.length) } };
        },
      },
      TxDecode: { example, answer: (request) => ({ tx: decode(bytesIn(request)) }) },
      TxEncode: {
        example: { tx: decode(first.bytes) },
        answer: ({ tx }) => {
          if (typeof tx !== 'object' || tx === null || Array.isArray(tx)) {
            throw new StatusError(status.INVALID_ARGUMENT, 'invalid empty tx');
          }
          return { tx_bytes: bytesOf(messageOf(registry, 'cosmos.tx.v1beta1.Tx'), tx, registry).toString('base64') };
        },
      },
    },
  };
}

/** An unsigned transfer in block 2. */
function firstTransaction(registry: FileRegistry): Buffer {
  const amount = [{ denom: 'uixo', amount: '1000' }];
  const send = { '@type': '/cosmos.bank.v1beta1.MsgSend', from_address: TEST_WALLET, to_address: TEST_WALLET, amount };
  const part = (type: string, json: JsonObject) =>
    bytesOf(messageOf(registry, `cosmos.tx.v1beta1.${type}`), json, registry);
  return part('TxRaw', {
    body_bytes: part('TxBody', { messages: [send], memo: 'the first' }).toString('base64'),
    auth_info_bytes: part('AuthInfo', {
      fee: { amount: [{ denom: 'uixo', amount: '5000' }], gas_limit: '200000' },
    }).toString('base64'),
    signatures: [Buffer.alloc(64).toString('base64')],
  });
}

/** The field of a message that each search condition compares. */
const senders = ['from_address', 'sender', 'delegator_address', 'proposer', 'voter'];
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  'message.action': ['@type'],
  'message.sender': senders,
  'transfer.recipient': ['to_address'],
  'transfer.sender': ['from_address'],
};

/** Whether a transaction meets all conditions `key='value' AND …`; a condition on an unindexed attribute is never met. */
function isMeant(query: string, { hash, block }: KnownTx, tx: JsonObject): boolean {
  const { messages } = tx['body'] as { messages?: JsonObject[] };
  return query.split(/\s+AND\s+/i).every((condition) => {
    const [, key = '', value = ''] = /^\s*([\w.]+)\s*=\s*'?([^']*?)'?\s*$/.exec(condition) ?? [];
    if (key === 'tx.height') return value === String(block.height);
    if (key === 'tx.hash') return value.toUpperCase() === hash;
    return (fieldsOf[key] ?? []).some((name) => messages?.some((message) => message[name] === value) === true);
  });
}

function firstOf(list: JsonValue | undefined): string {
  const first = Array.isArray(list) ? list[0] : undefined;
  return typeof first === 'string' ? first : '';
}

function memoOf(tx: JsonObject): string {
  return textAt(tx['body'] as JsonObject, 'memo');
}

function gasOf(tx: JsonObject): string {
  const { fee } = tx['auth_info'] as { fee?: JsonObject };
  return textAt(fee ?? {}, 'gas_limit') || '0';
}

function messageOf(registry: FileRegistry, name: string): DescMessage {
  const message = registry.getMessage(name);
  if (message === undefined) throw new Error(`there is no message ${name}`);
  return message;
}
