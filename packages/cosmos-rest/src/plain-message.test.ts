import { describe, expect, it } from 'vitest';
import { toPlainMessage } from './plain-message.js';

describe('toPlainMessage', () => {
  it('keeps a plain sentence', () => {
    expect(toPlainMessage('entity did:ixo:entity:abc not found: key 12:30')).toBe(
      'entity did:ixo:entity:abc not found: key 12:30',
    );
  });

  it('drops the stack, source places and addresses', () => {
    const text =
      'panic at 10.0.0.7:26657 [cosmos/cosmos-sdk@v0.50.1/baseapp/abci.go:123]\ngoroutine 1 [running]:\nmain.go:5';
    expect(toPlainMessage(text)).toBe('panic at the node');
  });

  it('truncates long messages', () => {
    expect(toPlainMessage('x'.repeat(5000))).toHaveLength(1000);
    expect(toPlainMessage(` ${'x'.repeat(5000)}`)).toHaveLength(1000);
  });

  it.each([
    ['dial tcp Node-1.Internal.example:26657: refused', 'dial tcp the node: refused'],
    ['at [::1]:9090, localhost:26657 and a_b.svc:80', 'at the node, the node and the node'],
    ['x (/go/pkg/mod/a@v1.2/b.go:12 +0x1a) y', 'x () y'],
  ])('removes the addresses and places from %j', (text, plain) => {
    expect(toPlainMessage(text)).toBe(plain);
  });

  it('shows no part of a truncated address', () => {
    for (let length = 0; length < 40; length += 1) {
      const locations = ' main.go:5'.repeat(500);
      expect(toPlainMessage(`${' '.repeat(length)}${locations} at 10.11.12.13:26657`)).not.toMatch(/[0-9]/);
    }
  });
});
