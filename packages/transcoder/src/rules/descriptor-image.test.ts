import { create, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { readDescriptorImage } from './descriptor-image.js';

function setOf(...files: readonly { readonly name: string; readonly dependency?: string[] }[]): Uint8Array {
  const file = files.map((each) => create(FileDescriptorProtoSchema, { syntax: 'proto3', ...each }));
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
}

describe('a descriptor image that cannot be used', () => {
  it.each([
    ['a text', Buffer.from('syntax = "proto3";'), 'is no file descriptor set: write it with `buf build'],
    ['nothing', new Uint8Array(), 'holds no files: write it with'],
    [
      'a set without its imports',
      setOf({ name: 'a.proto', dependency: ['b.proto'] }),
      'lacks b.proto, which a.proto imports',
    ],
  ])('is refused in a sentence with the remedy: %s', (_, image, sentence) => {
    expect(() => readDescriptorImage(image)).toThrow(sentence);
  });
});
