import { everythingRegistry, picturesRegistry } from '@mlango/test-services/descriptors';
import { describe, expect, it } from 'vitest';
import { buildRouteTable } from '../routes.js';
import { describeRoutes } from './document.js';

const prefixes = { current: 'proto', legacy: [] };
const { routes } = buildRouteTable(everythingRegistry(), { prefixes, disabled: ['everything.v1.Service/List'] });
const document = JSON.parse(JSON.stringify(describeRoutes(routes, { version: '1.2.3', prefix: 'proto' })));

/** Every `$ref` of the document, at any depth. */
function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => (key === '$ref' ? [String(item)] : refsOf(item)));
}

describe('describeRoutes', () => {
  it('describes each mounted route as an operation with a unique id', () => {
    expect(document.paths['/everything/v1/{leaf.label}/{int64_value}'].get).toMatchObject({
      operationId: 'everything.v1.Service.Get_2',
      tags: ['everything.v1.Service'],
    });
    const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((item) =>
      Object.values(item),
    );
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('names every variable of a path as a path parameter', () => {
    for (const [path, item] of Object.entries<Record<string, { parameters: { in: string; name: string }[] }>>(
      document.paths,
    )) {
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
      for (const { parameters } of Object.values(item)) {
        expect(parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)).toEqual(
          inPath,
        );
      }
    }
  });

  it('shows the pattern of a variable with several segments', () => {
    const [parameter] = document.paths['/everything/v1/files/{string_value}'].get.parameters;
    expect(parameter).toMatchObject({ name: 'string_value', required: true, description: 'Matches dir/**' });
  });

  it('spells out nested parameters and leaves out those of the path', () => {
    const names = document.paths['/everything/v1'].get.parameters.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['pagination.limit', 'pagination.key', 'owner']));
    const bound = document.paths['/everything/v1/{leaf.label}/{int64_value}'].get.parameters.filter(
      (p: { in: string }) => p.in === 'query',
    );
    expect(bound.map((p: { name: string }) => p.name)).not.toContain('leaf.label');
  });

  it('describes raw bodies, whole or a field, as bytes of any type', () => {
    const pictures = buildRouteTable(picturesRegistry(), { prefixes }).routes;
    const { paths, components } = JSON.parse(
      JSON.stringify(describeRoutes(pictures, { version: '1.2.3', prefix: 'proto' })),
    );
    const bytes = { '*/*': { schema: { type: 'string', format: 'binary' } } };
    const { get, put } = paths['/pictures/v1/{name}'];
    const { post } = paths['/pictures/v1:turn'];
    const film = paths['/pictures/v1/{name}/film'].get;
    for (const { responses } of [get, put, post, film]) expect(responses[200].content).toEqual(bytes);
    for (const { requestBody } of [put, post]) expect(requestBody.content).toEqual(bytes);
    expect(components.schemas).not.toHaveProperty(['google.api.HttpBody']);
    expect(Object.keys(document.paths['/everything/v1'].get.responses[200].content)).toEqual(['application/json']);
  });

  it('names compressed bodies, and forms where a rule leaves fields to the query', () => {
    const [ofField] = routes.filter(({ body }) => body === 'leaf');
    const [whole] = routes.filter(({ body }) => body === '*');
    if (ofField === undefined || whole === undefined) throw new Error('the rules of the test have no bodies');
    const contentOf = (route: typeof whole) => {
      const { paths } = JSON.parse(
        JSON.stringify(describeRoutes([{ ...route, method: 'POST' }], { version: '1.2.3', prefix: 'proto' })),
      );
      const [item] = Object.values<{ post?: { parameters: object[]; requestBody: { content: object } } }>(paths);
      expect(item?.post?.parameters).toContainEqual(
        expect.objectContaining({ name: 'content-encoding', schema: { type: 'string', enum: ['gzip', 'br'] } }),
      );
      return Object.keys(item?.post?.requestBody.content ?? {});
    };
    expect(contentOf(whole)).toEqual(['application/json']);
    expect(contentOf(ofField)).toEqual(['application/json', 'application/x-www-form-urlencoded']);
  });

  it('marks disabled methods', () => {
    expect(document.paths['/everything/v1'].get.description).toContain('501');
  });

  it('refers to nothing it does not define, also where a message holds itself', () => {
    const defined = new Set(Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`));
    expect(refsOf(document).filter((ref) => !defined.has(ref))).toEqual([]);
    expect(defined).toContain('#/components/schemas/everything.v1.Tree');
  });
});
