import { type RenderError, type RenderedError, renderJsonError, type ServiceError } from '@mlango/service-kit/errors';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a route that a telecom gateway calls: its failures are replies of USSD, not of HTTP. */
    failureForm?: (error: ServiceError, request: FastifyRequest) => RenderedError;
  }
}

/** Failures in the form the route's caller reads; JSON errors where it names none. */
export const renderError: RenderError = (error, request) => {
  const failureForm = request?.routeOptions.config.failureForm;
  return request === undefined || failureForm === undefined
    ? renderJsonError(error, request)
    : failureForm(error, request);
};
