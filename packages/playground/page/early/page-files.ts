import { pageOf, partsOf } from '../shell/route.js';

/** The files of each page, without those that every page needs; defined by the build. */
declare const PAGE_FILES: Readonly<Record<string, readonly string[]>>;

/** Preloads the files of the page in the address. */
export function preloadPageFiles(): void {
  for (const file of PAGE_FILES[pageOf(partsOf(location.hash), location.pathname)] ?? []) {
    const link = document.createElement('link');
    const isStyle = file.endsWith('.css');
    link.rel = isStyle ? 'preload' : 'modulepreload';
    if (isStyle) link.as = 'style';
    link.crossOrigin = '';
    link.href = file;
    document.head.append(link);
  }
}
