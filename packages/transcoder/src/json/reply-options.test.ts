import { everythingRegistry, messageOf } from '@mlango/test-services/descriptors';
import { describe, expect, it } from 'vitest';
import { WHOLE_PROFILE } from '../../test/profiles.js';
import { takeReplyOptions } from './reply-options.js';

const registry = everythingRegistry();
const listRequest = messageOf(registry, 'everything.v1.ListRequest');
const everything = messageOf(registry, 'everything.v1.Everything');

describe('takeReplyOptions', () => {
  it('takes its own parameters and leaves the others, in order', () => {
    const taken = takeReplyOptions(
      [
        ['owner', 'a'],
        ['json', 'camel'],
        ['defaults', 'omit'],
        ['pretty', ''],
        ['nope', '1'],
      ],
      listRequest,
      everything,
      WHOLE_PROFILE,
    );
    expect(taken).toEqual({
      options: {
        profile: { names: 'camel', defaults: 'omit' },
        pretty: true,
        mask: undefined,
        unknownFields: [],
      },
      rest: [
        ['owner', 'a'],
        ['nope', '1'],
      ],
    });
  });

  it('yields to a field of the request with the same name', () => {
    const taken = takeReplyOptions([['fields', 'not a, mask']], everything, everything, WHOLE_PROFILE);
    expect(taken).toMatchObject({ rest: [['fields', 'not a, mask']] });
  });

  it.each([
    ['json', 'xml'],
    ['defaults', 'some'],
    ['pretty', 'very'],
    ['fields', 'a,,b'],
    ['fields', ''],
    ['values', 'chain'],
  ])('refuses %s=%s', (name, value) => {
    expect(takeReplyOptions([[name, value]], listRequest, everything, WHOLE_PROFILE)).toHaveProperty(
      'violations.0.field',
      name,
    );
  });

  it('treats a name of Object.prototype like any other parameter', () => {
    expect(
      takeReplyOptions(
        [
          ['constructor', '1'],
          ['__proto__', '2'],
        ],
        listRequest,
        everything,
        WHOLE_PROFILE,
      ),
    ).toMatchObject({
      rest: [
        ['constructor', '1'],
        ['__proto__', '2'],
      ],
    });
  });
});
