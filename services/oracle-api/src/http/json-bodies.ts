import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';

/**
 * Takes bodies of type application/json and no others, and an empty one as no body: clients of this protocol send that
 * content type with every call, also with those that have nothing to say. Prototype-poisoning keys are refused.
 */
export function acceptJsonBodies(app: HttpApp): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else void parse(request, body.toString(), done);
  });
  app.addContentTypeParser('*', (request, _body, done) => {
    if (request.headers['content-length'] === '0') done(null, undefined);
    else done(new ServiceError('unsupported_media_type', 'Send the body as Content-Type: application/json'));
  });
}
