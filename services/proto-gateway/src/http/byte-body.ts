import type { HttpApp } from '@mlango/service-kit/http-app';

/** Bodies are read by the descriptors, whatever type they say they have. */
export function byteBody(scope: HttpApp): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}
