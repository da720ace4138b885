import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { readDescriptorImage } from '@mlango/transcoder/descriptor-image';
import { describe, expect, it } from 'vitest';
import { buildRouteTable } from '../routes.js';
import { describeRoutes } from './document.js';
import { commentOf, examplesIn } from './proto-comments.js';

const image = readFileSync(createRequire(import.meta.url).resolve('@mlango/proto/descriptor.binpb'));
const registry = readDescriptorImage(image);

describe('commentOf', () => {
  it('finds the comment of a message, field, enum, value, service and rpc', () => {
    const query = registry.getService('ixo.entity.v1beta1.Query');
    const status = registry.getEnum('ixo.claims.v1beta1.CollectionState');
    const entity = registry.getMessage('ixo.entity.v1beta1.Entity');
    for (const desc of [query, query?.methods[0], status, status?.values[1], entity, entity?.fields[3]]) {
      expect(desc && commentOf(desc), desc?.name).toMatch(/^[A-Z].*\.$/);
    }
    expect(entity?.fields[0] && commentOf(entity.fields[0])).toContain('DID');
  });

  it('gives nothing for an image without source info', () => {
    const set = fromBinary(FileDescriptorSetSchema, image);
    for (const file of set.file) delete file.sourceCodeInfo;
    const query = createFileRegistry(set).getService('ixo.entity.v1beta1.Query');
    expect(query && commentOf(query)).toBeUndefined();
  });
});

describe('source info', () => {
  it('keeps all comments, and no place without one', () => {
    const hasComment = (place: {
      leadingComments: string;
      trailingComments: string;
      leadingDetachedComments: string[];
    }) => `${place.leadingComments}${place.trailingComments}${place.leadingDetachedComments.join('')}` !== '';
    const { file: files } = fromBinary(FileDescriptorSetSchema, image);
    for (const { name, sourceCodeInfo } of files) {
      const stored = registry.getFile(name)?.proto.sourceCodeInfo?.location;
      expect(stored, name).toEqual(sourceCodeInfo?.location.filter(hasComment));
    }
  });
});

describe('examplesIn', () => {
  it('takes the texts in backticks after "such as"', () => {
    expect(examplesIn('Name of the timer, such as `day` or `week`. Not `year`.')).toEqual(['day', 'week']);
    expect(examplesIn('Kinds, such as `a`, `b` or `c`.')).toEqual(['a', 'b', 'c']);
    expect(examplesIn('Either `a` or `b`.')).toEqual([]);
    expect(examplesIn(undefined)).toEqual([]);
  });
});

describe('the document of the definitions of this build', () => {
  const table = buildRouteTable(registry, { prefixes: { current: 'proto', legacy: [] }, disabled: [] });
  // Definitions of other publishers are not checked: their comments are not ours.
  const routes = table.routes.filter(({ rpcName }) => /^(?:ixo|cosmos\.base\.node)\./.test(rpcName));
  const document = JSON.parse(JSON.stringify(describeRoutes(routes, { version: '1.2.3', prefix: 'proto' })));

  it('explains every operation, parameter, schema, property and group', () => {
    const operations = Object.values<{ get?: Record<string, unknown> }>(document.paths).flatMap(({ get }) =>
      get === undefined ? [] : [get],
    );
    expect(operations.length).toBeGreaterThan(60);
    const schemas = Object.entries<Record<string, unknown>>(document.components.schemas)
      .filter(([name]) => name.includes('.'))
      .flatMap(([, schema]) => [schema, ...Object.values(schema['properties'] as Record<string, unknown>[])]);
    const parameters = operations.flatMap((operation) => operation['parameters'] as unknown[]);
    for (const thing of [...operations, ...parameters, ...schemas, ...document.tags]) {
      expect(thing).toHaveProperty('description', expect.stringMatching(/\w/));
    }
  });

  it('fills in an example of each path parameter, as "Try it out" needs one', () => {
    const operation = document.paths['/proto/entity/{id}'].get;
    expect(operation.summary).toBe('An entity together with its IID document.');
    expect(operation.parameters[0]).toMatchObject({ name: 'id', example: 'did:ixo:entity:e0001' });
  });

  it('describes each value of an enum', () => {
    const { properties } = document.components.schemas['ixo.claims.v1beta1.Collection'];
    expect(properties.state.description).toMatch(/`PAUSED`: /);
  });
});
