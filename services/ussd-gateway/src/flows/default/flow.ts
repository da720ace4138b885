import type { Flow } from '../../engine/flow.js';
import { closed } from './screens/closed.js';
import { infoTopic } from './screens/info-topic.js';
import { knowMore } from './screens/know-more.js';
import { preMenu } from './screens/pre-menu.js';
import { en } from './texts.en.js';

/** The dialogue a subscriber gets who dials the service code. */
export const defaultFlow: Flow = {
  id: 'default',
  version: 1,
  start: 'preMenu',
  exit: 'closed',
  screens: { preMenu, knowMore, infoTopic, closed },
  texts: { en },
  defaultLanguage: 'en',
};
