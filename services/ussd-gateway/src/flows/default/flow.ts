import type { Flow } from '../../engine/flow.js';
import { checks, effects } from './effects.js';
import { longestFacts } from './longest-facts.js';
import { accountCreated } from './screens/account-created.js';
import { accountMenu } from './screens/account-menu.js';
import { closed } from './screens/closed.js';
import { confirmNewPin } from './screens/confirm-new-pin.js';
import { confirmPin } from './screens/confirm-pin.js';
import { confirmResetPin } from './screens/confirm-reset-pin.js';
import { currentPin } from './screens/current-pin.js';
import { customerIdEntry } from './screens/customer-id-entry.js';
import { emailEntry } from './screens/email-entry.js';
import { forgottenId } from './screens/forgotten-id.js';
import { foundIds } from './screens/found-ids.js';
import { infoTopic } from './screens/info-topic.js';
import { knowMore } from './screens/know-more.js';
import { languageMenu } from './screens/language-menu.js';
import { loginPin } from './screens/login-pin.js';
import { myDetails } from './screens/my-details.js';
import { nameEntry } from './screens/name-entry.js';
import { newPin } from './screens/new-pin.js';
import { openLanguageMenu } from './screens/open-language-menu.js';
import { pinEntry } from './screens/pin-entry.js';
import { preMenu } from './screens/pre-menu.js';
import { resetPin } from './screens/reset-pin.js';
import { resumeOffer } from './screens/resume-offer.js';
import { userMenu } from './screens/user-menu.js';
import { working } from './screens/working.js';
import { en } from './texts.en.js';
import { fr } from './texts.fr.js';
import { sw } from './texts.sw.js';

/** The dialogue a subscriber gets who dials the service code. */
export const defaultFlow: Flow = {
  id: 'default',
  version: 2,
  start: 'preMenu',
  resumeOffer: 'resumeOffer',
  interrupted: 'interrupted',
  exit: 'closed',
  screens: {
    preMenu,
    knowMore,
    infoTopic,
    accountMenu,
    nameEntry,
    emailEntry,
    pinEntry,
    confirmPin,
    accountCreated,
    customerIdEntry,
    forgottenId,
    foundIds,
    loginPin,
    resetPin,
    confirmResetPin,
    userMenu,
    myDetails,
    currentPin,
    newPin,
    confirmNewPin,
    languageMenu,
    openLanguageMenu,
    resumeOffer,
    working,
    closed,
  },
  texts: { en, sw, fr },
  defaultLanguage: 'en',
  effects,
  checks,
  working: 'working',
  longestFacts,
};
