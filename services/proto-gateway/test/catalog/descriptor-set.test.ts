import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { everythingRegistry } from '@mlango/test-services/descriptors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configuredApp } from '../support/configured-app.js';
import { type ReflectingNode, startReflectingNode } from '../support/reflecting-node.js';

let folder: string;
let node: ReflectingNode;
let app: HttpApp;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'descriptor-set-'));
  const path = join(folder, 'everything.binpb');
  const file = [...everythingRegistry().files].map((each) => each.proto);
  writeFileSync(path, toBinary(FileDescriptorSetSchema, { $typeName: FileDescriptorSetSchema.typeName, file }));
  node = await startReflectingNode();
  app = await configuredApp({ PROTO_DESCRIPTOR_SET: path, GRPC_TARGETS: node.address });
});
afterAll(async () => {
  await app.close();
  await node.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a descriptor set from a file, of a module never seen before,', () => {
  const leaf = { label: 'l', counts: ['1', '-2'], colour: 'COLOUR_BLUE' };

  it('is served by a real node: maps, a oneof, Any, nested lists', async () => {
    const sent = {
      by_name: { a: 1, b: 2 },
      by_number: { '-7': 'minus' },
      by_truth: { true: leaf },
      chosen_leaf: leaf,
      payload: { '@type': 'type.googleapis.com/everything.v1.Leaf', ...leaf },
      many_leaves: [leaf, leaf],
      tree: { id: 't', children: [{ id: 'u', children: [{ id: 'v' }] }], leaves: { x: leaf } },
    };
    const post = { method: 'POST', url: '/everything/v1/a?defaults=omit', payload: JSON.stringify(sent) } as const;
    expect((await app.inject(post)).json()).toEqual({ ...sent, string_value: 'a' });
  });

  it('takes parameters for maps, a oneof, lists and times', async () => {
    const query = [
      'by_name[a]=1&by_name[b]=2&by_number[-7]=minus',
      'chosen_leaf.label=l&chosen_leaf.counts=1&chosen_leaf.counts=-2&chosen_leaf.colour=COLOUR_BLUE',
      'names=x&names=y&tree.id=t&tree.parent.id=p&at=2026-01-02T03:04:05.006Z&lasting=1.5s',
    ].join('&');
    const reply = await app.inject(`/everything/v1/a?${query}&defaults=omit`);
    expect(reply.json()).toEqual({
      string_value: 'a',
      by_name: { a: 1, b: 2 },
      by_number: { '-7': 'minus' },
      chosen_leaf: leaf,
      names: ['x', 'y'],
      tree: { id: 't', parent: { id: 'p' } },
      at: '2026-01-02T03:04:05.006Z',
      lasting: '1.500s',
    });
  });

  it('is served with its streams', async () => {
    const reply = await app.inject('/everything/v1/a/watch?defaults=omit');
    expect(reply.body).toBe('{"result":{"label":"a"}}\n{"result":{"label":"b"}}\n');
  });

  it('is described', async () => {
    const { paths } = (await app.inject('/openapi.json')).json();
    expect(paths).toHaveProperty(['/everything/v1/{string_value}/watch', 'get']);
    expect(paths).not.toHaveProperty(['/proto/token/params']);
  });
});
