export { firstProblem, issueText } from './issue-text.js';
export {
  type ErrorCode,
  publicText,
  type RenderError,
  type RenderedError,
  reasonPhrase,
  renderJsonError,
  ServiceError,
  type ServiceErrorOptions,
} from './service-error.js';
export { systemCode, systemReason } from './system-reason.js';
export { isBackEndUnavailable, toServiceError, unavailableStore } from './to-service-error.js';
export { callerRefused } from './token-errors.js';
