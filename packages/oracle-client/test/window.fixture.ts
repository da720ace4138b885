import { Window } from 'happy-dom';

/** A window and a document for React. Network and timers stay Node's own: requests and sockets of these tests are real. */
const window = new Window({ url: 'http://localhost:3003/' });
const names = [
  'document',
  'navigator',
  'Node',
  'Element',
  'HTMLElement',
  'HTMLIFrameElement',
  'HTMLInputElement',
  'DocumentFragment',
  'ShadowRoot',
  'Text',
  'MutationObserver',
  'ResizeObserver',
  'getComputedStyle',
  'localStorage',
  'requestAnimationFrame',
  'cancelAnimationFrame',
] as const;

for (const name of names) {
  Object.defineProperty(globalThis, name, { value: Reflect.get(window, name), configurable: true, writable: true });
}
Object.defineProperty(globalThis, 'window', { value: globalThis, configurable: true, writable: true });
Object.defineProperty(globalThis, 'self', { value: globalThis, configurable: true, writable: true });
// React reads the current event from the window.
Object.defineProperty(globalThis, 'event', { value: undefined, configurable: true, writable: true });
for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const) {
  Object.defineProperty(globalThis, name, { value: window[name].bind(window), configurable: true, writable: true });
}
