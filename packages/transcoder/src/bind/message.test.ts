import { everythingRegistry, messageOf } from '@mlango/test-services/descriptors';
import { expect, it } from 'vitest';
import { bindMessage } from './message.js';

const registry = everythingRegistry();
const everything = messageOf(registry, 'everything.v1.Everything');

it('parses messages up to a size, and passes others unchanged at any size', () => {
  const bind = (message: Uint8Array, concerns: boolean) => {
    const rules = [{ concerns: () => concerns, apply: () => [] }];
    return bindMessage(everything, 'proto', message, {
      registry,
      unknownQuery: 'warn',
      formatOf: () => undefined,
      rules,
    });
  };
  // An unknown field, of 3 bytes.
  const ofBytes = (count: number) =>
    Buffer.from([0xfa, 0x7f, 0x00].concat(...Array<number[]>(count / 3 - 1).fill([0xfa, 0x7f, 0x00])));
  const [small, large] = [ofBytes(65_535), ofBytes(65_538)];
  expect(bind(small, true)).toHaveProperty('bytes.length', small.length);
  expect(bind(large, true)).toEqual({ violations: [{ field: 'message', description: 'has more than 65536 bytes' }] });
  expect(bind(large, false)).toHaveProperty('bytes', large);
});
