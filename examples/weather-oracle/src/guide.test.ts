import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const guide = read('../../../docs/guides/plugin-reference.md');
const shown = [...guide.matchAll(/`examples\/weather-oracle\/(src\/[\w-]+\.ts)`[^`]*:\n\n```ts\n([\s\S]*?)```/g)];

describe('the plugin reference', () => {
  it('shows stored data without a table and in one', () =>
    expect(shown.map(([, file]) => file)).toEqual(['src/home-town.ts', 'src/home-plugin.ts']));

  it.each(shown.map(([, file = '', text = '']) => [file, text]))(
    'shows %s word for word, in fewer than 40 lines',
    (file, text) => {
      expect(text).toBe(read(`../${file}`));
      expect(text.trimEnd().split('\n').length).toBeLessThan(40);
    },
  );
});
