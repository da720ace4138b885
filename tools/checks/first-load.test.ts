import { describe, expect, it } from 'vitest';
import { namedFiles, unnamedImports } from './first-load.mjs';

const page = `<script src="/assets/main-1.js"></script><link rel="modulepreload" href="/assets/shared-2.js">
  <script>var f={home:["/assets/home-3.js"],phone:[],link:[],chat:[\`/assets/chat-4.js\`,\`/assets/chat-4.css\`],chain:[],account:[],lost:[]}</script>`;

describe('the check of the first load', () => {
  it('reads what the page names for every view and for one', () => {
    const { everyView, rooms } = namedFiles(page);
    expect(everyView).toEqual(['assets/main-1.js', 'assets/shared-2.js']);
    expect(rooms.get('chat')).toEqual(['assets/chat-4.js', 'assets/chat-4.css']);
    expect(() => namedFiles(page.replace('phone', 'fax'))).toThrow('names no files of the room phone');
  });

  it('finds what a named script imports and the page does not name', () => {
    const texts: Readonly<Record<string, string>> = {
      'assets/a.js': 'import{t as e}from"./b.js";import"./c.js";import`./d.js`;export{e};import("./late.js")',
      'assets/b.js': 'export const t=1',
    };
    const textOf = (file: string) => texts[file] ?? '';
    expect(unnamedImports(['assets/a.js', 'assets/b.js', 'assets/a.css'], textOf)).toEqual([
      'assets/c.js',
      'assets/d.js',
    ]);
    expect(unnamedImports(['assets/a.js', 'assets/b.js', 'assets/c.js', 'assets/d.js'], textOf)).toEqual([]);
  });
});
