export {
  keysWeakness,
  keyWeakness,
  mnemonicWeakness,
  placeholderWeakness,
  tokenWeakness,
} from './secrets/secret-strength.js';
export { strongInProduction } from './secrets/strong-in-production.js';
