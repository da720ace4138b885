import Theme from 'vitepress/theme-without-fonts';
import { theme as openapi, useTheme } from 'vitepress-openapi/client';
import 'vitepress-openapi/dist/style.css';
import './site.css';

/** @type {import('vitepress').Theme} */
export default {
  extends: Theme,
  enhanceApp(context) {
    useTheme({ spec: { collapsePaths: true, lazyRendering: true } });
    openapi.enhanceApp(context);
  },
};
