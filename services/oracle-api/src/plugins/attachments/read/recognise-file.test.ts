import { describe, expect, it } from 'vitest';
import { recogniseFile } from './recognise-file.js';

const latin = (text: string) => Buffer.from(text, 'latin1');
const webm = (codecs: string) => `\x1aE\xdf\xa3\x9fB\x82\x84webm\x00${codecs}`;
const mp4 = (handler: string) => `\0\0\0\x14ftypiso5\0\0\x02\0hdlr${'\0'.repeat(8)}${handler}`;

describe('the type of a file', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n…', { kind: 'image', mediaType: 'image/png' }],
    ['\xff\xd8\xff\xe0', { kind: 'image', mediaType: 'image/jpeg' }],
    ['GIF89a…', { kind: 'image', mediaType: 'image/gif' }],
    ['RIFF\x04\x00\x00\x00WEBPVP8 ', { kind: 'image', mediaType: 'image/webp' }],
    ['%PDF-1.7\n', { kind: 'pdf' }],
    [webm('A_OPUS'), { kind: 'audio', mediaType: 'audio/webm' }],
    [`OggS${'\0'.repeat(24)}OpusHead`, { kind: 'audio', mediaType: 'audio/ogg' }],
    [mp4('soun'), { kind: 'audio', mediaType: 'audio/mp4' }],
    ['RIFF\x04\x00\x00\x00WAVEfmt ', { kind: 'audio', mediaType: 'audio/wav' }],
    ['ID3\x04\x00\x00…', { kind: 'audio', mediaType: 'audio/mpeg' }],
    ['\xff\xfb\x90\x64', { kind: 'audio', mediaType: 'audio/mpeg' }],
    ['{"a":1}\n', { kind: 'text', text: '{"a":1}\n' }],
    ['a\tb\r\n\x1b[31mred\x1b[0m', { kind: 'text', text: 'a\tb\r\n\x1b[31mred\x1b[0m' }],
    ['', { kind: 'text', text: '' }],
  ])('is recognised by its bytes: %j', (bytes, file) => {
    expect(recogniseFile(latin(bytes))).toEqual(file);
  });

  it('is text in any language', () => {
    expect(recogniseFile(Buffer.from('\uFEFFHabari ya asubuhi — 早上好'))).toEqual({
      kind: 'text',
      text: 'Habari ya asubuhi — 早上好',
    });
  });

  it.each([
    webm('A_OPUS V_VP8'),
    webm('V_VP9'),
    `OggS${'\0'.repeat(24)}\x80theora`,
    mp4('vide'),
    mp4('soun') + mp4('vide'),
  ])('is not a voice recording if it has video or no audio: %j', (bytes) => {
    expect(recogniseFile(latin(bytes))).toBeUndefined();
  });

  it.each([
    'a\x00b',
    '\xff\xfea\x00',
    'PK\x03\x04',
    '\x7fELF\x02',
    'caf\xe9',
    'RIFF\x04\x00\x00\x00AVI ',
    '\xff\xfb\xf0\x64',
    '\x89PN',
  ])('is unsupported: %j', (bytes) => {
    expect(recogniseFile(latin(bytes))).toBeUndefined();
  });
});
