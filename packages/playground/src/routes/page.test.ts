import { describe, expect, it } from 'vitest';
import { pagePolicy } from './page.js';

const partsOf = (html: string) => pagePolicy(html).split('; ');

describe('the policy of a page', () => {
  it('allows scripts of its origin only', () => {
    expect(partsOf('<script src="/a.js"></script>')).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'"]),
    );
  });

  it('lists each inline script and style by its digest', () => {
    // printf alert | openssl dgst -sha256 -binary | base64
    const digest = "'sha256-35BQWN1npAn++BSA6B5HNlcrDttNf7mHxpXNB+Jg7IE='";
    expect(partsOf('<script>alert</script><script src="/a.js"></script>')).toContain(`script-src 'self' ${digest}`);
    expect(partsOf('<p><style>alert</style>')).toContain(`style-src 'self' ${digest}`);
  });

  it('has a digest of multi-line content, byte for byte', () => {
    expect(partsOf('<script>\nalert\n</script>')).toContain(
      "script-src 'self' 'sha256-y6utNmm9FlOpBIJ0iMr9yjT1fYSyjgUJeLK4nSGsi30='",
    );
  });
});
