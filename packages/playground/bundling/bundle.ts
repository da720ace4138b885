import type { IndexHtmlTransformContext } from 'vite';

export type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;
type Chunk = Extract<Bundle[string], { type: 'chunk' }>;

/** @throws {Error} if there is no chunk of that name, as after a rename */
export function chunkNamed(bundle: Bundle, name: string): Chunk {
  const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name);
  if (chunk?.type !== 'chunk') throw new Error(`The page has no chunk named ${name}.`);
  return chunk;
}

/** The scripts that depend on each other, starting with one, and then their styles. */
export function filesOf(bundle: Bundle, from: Chunk): string[] {
  const chunks = new Set([from]);
  // A set that grows while it is walked: imports of imports are reached too.
  for (const { imports } of chunks) {
    for (const file of imports.map((name) => bundle[name])) if (file?.type === 'chunk') chunks.add(file);
  }
  const styles = [...chunks].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
  return [...[...chunks].map(({ fileName }) => fileName), ...styles];
}
