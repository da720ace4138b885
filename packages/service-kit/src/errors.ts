export { isBackEndUnavailable, unavailableStore } from './errors/back-end-unavailable.js';
export { callerRefused } from './errors/caller-refused.js';
export { firstProblem, issueText } from './errors/issue-text.js';
export {
  publicText,
  type RenderError,
  type RenderedError,
  reasonPhrase,
  renderJsonError,
} from './errors/render-error.js';
export { type ErrorCode, ServiceError, type ServiceErrorOptions } from './errors/service-error.js';
export { systemCode, systemReason } from './errors/system-reason.js';
export { toServiceError } from './errors/to-service-error.js';
