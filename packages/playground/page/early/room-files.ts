import { roomOf } from '../shell/room-of.js';
import { partsOf } from '../shell/route.js';

/** The files of each room, beside those of every view; written by the build. */
declare const ROOM_FILES: Readonly<Record<string, readonly string[]>>;

/** Has the browser ask for the files of the room that the address leads to, beside those that the page itself names. */
export function askForRoom(): void {
  for (const file of ROOM_FILES[roomOf(partsOf(location.hash), location.pathname)] ?? []) {
    const link = document.createElement('link');
    const isStyle = file.endsWith('.css');
    link.rel = isStyle ? 'preload' : 'modulepreload';
    if (isStyle) link.as = 'style';
    link.crossOrigin = '';
    link.href = file;
    document.head.append(link);
  }
}
