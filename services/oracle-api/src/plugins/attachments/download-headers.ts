import type { Upload } from './upload-store.js';

/** With a file that is to be saved, and never shown as a page. */
export function downloadHeaders({ mediaType, filename }: Upload): Record<string, string> {
  return {
    'content-type': mediaType === 'text/plain' ? 'text/plain; charset=utf-8' : mediaType,
    'content-disposition': `attachment; filename*=UTF-8''${encodedName(filename)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}

/** As a header has it. Source: RFC 8187. */
function encodedName(filename: string): string {
  return encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
