/** Path and query of a request target, as they were sent. */
export function splitUrl(url: string): { rawPath: string; rawQuery: string } {
  // Proxies may send the whole URL. Source: RFC 9112, absolute-form.
  const local = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  return mark < 0
    ? { rawPath: local, rawQuery: '' }
    : { rawPath: local.slice(0, mark), rawQuery: local.slice(mark + 1) };
}
