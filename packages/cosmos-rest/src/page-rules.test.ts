import { create, fromBinary, toBinary, toJson } from '@bufbuild/protobuf';
import { everythingRegistry, messageOf } from '@mlango/test-services/descriptors';
import { createTranscoder } from '@mlango/transcoder';
import { describe, expect, it } from 'vitest';
import { cosmosRest } from './cosmos-rest.js';
import { pageCap } from './page-rules.js';

const files = everythingRegistry();
const listRequest = messageOf(files, 'everything.v1.ListRequest');
const transcoder = createTranscoder({ files, ...cosmosRest(files) });

/** A request for a page, as sent to the node. */
function page(pagination: object, cap?: bigint): unknown {
  const encoded = toBinary(listRequest, create(listRequest, { pagination }));
  const read = transcoder.readMessage(listRequest, 'proto', encoded, cap === undefined ? [] : [pageCap(cap)]);
  return 'bytes' in read ? toJson(listRequest, fromBinary(listRequest, read.bytes)) : read.violations;
}

describe('page rules', () => {
  it('set an explicit page by default', () => {
    expect(page({})).toEqual({ pagination: { limit: '100' } });
    expect(page({ limit: 0n, reverse: true })).toEqual({ pagination: { limit: '100', reverse: true } });
  });

  it('cap the limit', () => {
    expect(page({ limit: 1000n })).toEqual({ pagination: { limit: '1000' } });
    expect(page({ limit: 18446744073709551615n })).toEqual({ pagination: { limit: '1000' } });
  });

  it('have a second cap for some callers, which never increases the page', () => {
    expect(page({}, 7n)).toEqual({ pagination: { limit: '7' } });
    expect(page({ limit: 50n }, 7n)).toEqual({ pagination: { limit: '7' } });
    expect(page({ limit: 5n }, 7n)).toEqual({ pagination: { limit: '5' } });
    expect(page({ limit: 2000n }, 5000n)).toEqual({ pagination: { limit: '1000' } });
  });

  it('refuse a key together with an offset', () => {
    expect(page({ key: Uint8Array.of(97), offset: 1n })).toEqual([
      { field: 'pagination.offset', description: 'cannot be given together with pagination.key' },
    ]);
    expect(page({ key: Uint8Array.of(97), offset: 0n })).toEqual({ pagination: { key: 'YQ==', limit: '100' } });
  });
});
