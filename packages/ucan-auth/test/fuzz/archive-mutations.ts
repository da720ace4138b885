import { CBOR } from '@ucanto/core';
import { type Block, base64, blockOf, carOf, cidOf, descriptorOf, type Fields, varint } from '../forge.js';
import type { Dice } from './dice.js';

/** The blocks of a token, proofs first, the token's own UCAN last. */
export type Blocks = readonly Block[];

/** Changes signed UCANs without signing them again, so their content must not change. */
export const BLOCK_MUTATIONS: Readonly<Record<string, (blocks: Blocks, dice: Dice) => Blocks>> = {
  'bytes of a block': (blocks, dice) =>
    changeOne(blocks, dice, ({ cid, bytes }) => ({ cid, bytes: flip(bytes, dice) })),
  'bytes of a block and its CID': (blocks, dice) =>
    changeOne(blocks, dice, ({ bytes }) => blockOf(flip(bytes, dice)), true),
  'a field of a block and its CID': (blocks, dice) => changeOne(blocks, dice, (block) => otherField(block, dice), true),
  'a field taken over from another block': (blocks, dice) =>
    changeOne(blocks, dice, (block) => fieldOf(dice.pick(blocks), block, dice), true),
  'a CID of another kind': (blocks, dice) =>
    changeOne(blocks, dice, ({ bytes }) => ({
      bytes,
      cid: cidOf(bytes, dice.pick([{ hash: 0x13 }, { codec: 0x55 }, { hash: 0 }])),
    })),
  'a CID of other bytes': (blocks, dice) =>
    changeOne(blocks, dice, ({ bytes }) => ({ bytes, cid: dice.pick(blocks).cid })),
  'a CID that no bytes have': (blocks, dice) =>
    changeOne(blocks, dice, ({ bytes }) => ({ bytes, cid: cidOf(Buffer.of(dice.below(256))) }), true),
  'a block left out': (blocks, dice) => {
    const at = dice.below(blocks.length);
    return blocks.filter((_, index) => index !== at);
  },
  'a block twice': (blocks, dice) => [dice.pick(blocks), ...blocks],
  'a block more': (blocks, dice) => [blockOf(CBOR.encode({ ucan: dice.below(9) })), ...blocks],
  'another order': (blocks, dice) => [...blocks].sort(() => dice.below(3) - 1),
};

/** Packs blocks into an invalid archive. */
export const ARCHIVE_MUTATIONS: Readonly<Record<string, (blocks: Blocks, root: Block, dice: Dice) => string>> = {
  'bytes of the archive': (blocks, root, dice) => base64(flip(pack(blocks, root), dice)),
  'bytes cut off': (blocks, root, dice) => {
    const bytes = pack(blocks, root);
    return base64(bytes.subarray(0, dice.below(bytes.length)));
  },
  'bytes more': (blocks, root, dice) => base64(Buffer.concat([pack(blocks, root), Buffer.alloc(1 + dice.below(9))])),
  'other roots': (blocks, root, dice) => {
    const descriptor = descriptorOf(root);
    const roots = dice.pick([[], [root], [descriptor, descriptor], [descriptor, root], [dice.pick(blocks)]]);
    return base64(carOf([...blocks, descriptor], roots));
  },
  'the descriptor elsewhere': (blocks, root) => base64(carOf([descriptorOf(root), ...blocks], [descriptorOf(root)])),
  'another UCAN for the token’s own': (blocks, _, dice) => base64(pack(blocks, dice.pick(blocks))),
  'a descriptor of another version': (blocks, root, dice) => {
    const name = dice.pick(['ucan@0.9.2', 'ucan', 'ucan@0.9.1 ']);
    const descriptor = blockOf(CBOR.encode({ [name]: root.cid }));
    return base64(carOf([...blocks, descriptor], [descriptor]));
  },
  'a length written long': (blocks, root, dice) => {
    const bytes = pack(blocks, root);
    const [first = 0] = bytes;
    return base64(Buffer.concat([varint(first, 1 + dice.below(3)), bytes.subarray(1)]));
  },
  'characters of the text': (blocks, root, dice) => {
    const text = base64(pack(blocks, root));
    const at = dice.below(text.length);
    return `${text.slice(0, at)}${dice.pick(['-', '_', '=', ' ', '\n', 'A', 'é', ''])}${text.slice(at + dice.below(2))}`;
  },
  'the other alphabet': (blocks, root, dice) => {
    const text = Buffer.from(pack(blocks, root)).toString('base64url');
    return dice.percent(50) ? text : text.padEnd(Math.ceil(text.length / 4) * 4, '=');
  },
};

export function pack(blocks: Blocks, root: Block): Uint8Array {
  const descriptor = descriptorOf(root);
  return carOf([...blocks, descriptor], [descriptor]);
}

function changeOne(blocks: Blocks, dice: Dice, change: (block: Block) => Block, isOftenLast = false): Blocks {
  // No other block names the root by its CID, so its new CID has no effect.
  const at = isOftenLast && dice.percent(70) ? blocks.length - 1 : dice.below(blocks.length);
  return blocks.map((block, index) => (index === at ? change(block) : block));
}

function flip(bytes: Uint8Array, dice: Dice): Uint8Array {
  const list = [...bytes];
  for (let left = 1 + dice.below(3); left > 0; left--) {
    const at = dice.below(list.length);
    const kind = dice.below(4);
    if (kind === 0) list.splice(at, 1);
    else if (kind === 1) list.splice(at, 0, dice.below(256));
    else if (kind === 2) list[at] = (list[at] ?? 0) ^ (1 << dice.below(8));
    else list[at] = dice.below(256);
  }
  return Uint8Array.from(list);
}

const NAMES = ['s', 'v', 'att', 'aud', 'exp', 'fct', 'iss', 'nbf', 'nnc', 'prf', 'zzz'] as const;
const LEFT_OUT = Symbol('left out');
const NOTHING: readonly unknown[] = [LEFT_OUT, null, 0, 1, -1, 1.5, '', 'x', [], {}, [[]], false, Buffer.alloc(0)];

function otherField(block: Block, dice: Dice): Block {
  return encode({ ...fieldsOf(block), [dice.pick(NAMES)]: dice.pick(NOTHING) });
}

function fieldOf(other: Block, block: Block, dice: Dice): Block {
  const name = dice.pick(NAMES);
  return encode({ ...fieldsOf(block), [name]: fieldsOf(other)[name] ?? LEFT_OUT });
}

function encode(fields: Fields): Block {
  return blockOf(CBOR.encode(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== LEFT_OUT))));
}

/** Empty for bytes that are not a block any more. */
function fieldsOf({ bytes }: Block): Fields {
  try {
    const fields = CBOR.decode(bytes);
    return typeof fields === 'object' && fields !== null ? { ...fields } : {};
  } catch {
    return {};
  }
}
