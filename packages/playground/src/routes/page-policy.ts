import { createHash } from 'node:crypto';

/**
 * What a browser may do with a page: nothing but what its origin serves, and the scripts and styles that stand in the page itself, each known by
 * its digest; no frame, no form that leaves. Pure.
 * @param html the page as it is served
 * @returns a `content-security-policy`
 */
export function pagePolicy(html: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...digestsOf('script', html)].join(' '),
    ["style-src 'self'", ...digestsOf('style', html)].join(' '),
    // Files of messages are shown and played from what was read of them.
    "img-src 'self' data: blob:",
    'media-src blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

function digestsOf(tag: 'script' | 'style', html: string): string[] {
  const elements = html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'));
  return [...elements].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
