import { describe, expect, it } from 'vitest';
import { recogniseFile } from './recognise-file.js';

const latin = (text: string) => Buffer.from(text, 'latin1');

describe('what a file is', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n…', { kind: 'image', mediaType: 'image/png' }],
    ['\xff\xd8\xff\xe0', { kind: 'image', mediaType: 'image/jpeg' }],
    ['GIF89a…', { kind: 'image', mediaType: 'image/gif' }],
    ['RIFF\x04\x00\x00\x00WEBPVP8 ', { kind: 'image', mediaType: 'image/webp' }],
    ['%PDF-1.7\n', { kind: 'pdf' }],
    ['{"a":1}\n', { kind: 'text', text: '{"a":1}\n' }],
    ['a\tb\r\n\x1b[31mred\x1b[0m', { kind: 'text', text: 'a\tb\r\n\x1b[31mred\x1b[0m' }],
    ['', { kind: 'text', text: '' }],
  ])('is told by its bytes: %j', (bytes, file) => {
    expect(recogniseFile(latin(bytes))).toEqual(file);
  });

  it('is text in any language', () => {
    expect(recogniseFile(Buffer.from('\uFEFFHabari ya asubuhi — 早上好'))).toEqual({
      kind: 'text',
      text: 'Habari ya asubuhi — 早上好',
    });
  });

  it.each(['a\x00b', '\xff\xfea\x00', 'PK\x03\x04', '\x7fELF\x02', 'caf\xe9', 'RIFF\x04\x00\x00\x00WAVE', '\x89PN'])(
    'is nothing that is read: %j',
    (bytes) => {
      expect(recogniseFile(latin(bytes))).toBeUndefined();
    },
  );
});
