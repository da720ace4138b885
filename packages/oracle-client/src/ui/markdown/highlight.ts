import { createLowlight } from 'lowlight';
import { createElement, type ReactNode } from 'react';

type Grammar = Parameters<ReturnType<typeof createLowlight>['register']>[1];

/** Each language is a separate file, loaded with its first code. */
const grammars: Readonly<Record<string, () => Promise<{ default: unknown }>>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  go: () => import('highlight.js/lib/languages/go'),
  graphql: () => import('highlight.js/lib/languages/graphql'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  php: () => import('highlight.js/lib/languages/php'),
  protobuf: () => import('highlight.js/lib/languages/protobuf'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};

const otherNames: Readonly<Record<string, string>> = {
  'c++': 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  golang: 'go',
  html: 'xml',
  js: 'javascript',
  jsonc: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  proto: 'protobuf',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  svg: 'xml',
  ts: 'typescript',
  tsx: 'typescript',
  yml: 'yaml',
  zsh: 'bash',
};

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: readonly string[] };
  readonly children?: readonly Node[];
}

const lowlight = createLowlight();

/** Code as elements with classes (`hljs-…`); undefined for a language that is not known. Rejects when its grammar cannot be loaded. */
export async function highlight(code: string, language: string): Promise<ReactNode> {
  const name = Object.hasOwn(otherNames, language) ? (otherNames[language] ?? language) : language;
  const load = Object.hasOwn(grammars, name) ? grammars[name] : undefined;
  if (load === undefined) return undefined;
  if (!lowlight.registered(name)) lowlight.register(name, (await load()).default as NonNullable<Grammar>);
  return nodesOf(lowlight.highlight(name, code).children as readonly Node[]);
}

function nodesOf(nodes: readonly Node[]): ReactNode[] {
  return nodes.map(({ value, properties, children = [] }, key) =>
    value === undefined
      ? createElement('span', { key, className: properties?.className?.join(' ') }, ...nodesOf(children))
      : value,
  );
}
