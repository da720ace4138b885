import type { Texts } from '../../engine/flow.js';

/** English. A line break starts a new line on the handset. */
export const en: Texts = {
  welcome: 'Welcome to {appName}',
  knowMore: 'Know More',
  accountMenu: 'Account Menu',
  exit: 'Exit',
  back: 'Back',
  backToMainMenu: 'Back to Main Menu',
  more: 'More',
  previous: 'Previous',

  informationCenter: 'Information Center',
  aboutThisService: 'About this service',
  pricing: 'Pricing',
  delivery: 'Delivery',
  aboutText: '{appName} brings our services to any phone: no internet, no app, no data bundle. Dial, choose, done.',
  pricingText:
    'Dialling this code and reading these menus is free. Whatever costs money shows its price before you confirm.',
  deliveryText:
    'Orders are sent to the collection point nearest to you. We send an SMS when yours is ready to collect.',

  wrongChoice: 'Invalid choice. Please try again.',
  accountsNotOpen: 'Accounts are not available yet. Please choose another option.',
  goodbye: 'Thank you for using {appName}. Goodbye!',
};
