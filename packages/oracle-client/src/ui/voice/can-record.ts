import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Whether this browser records sound: not in pages without HTTPS, nor while a server renders. */
export function useCanRecord(): boolean {
  return useSyncExternalStore(
    never,
    () => typeof MediaRecorder !== 'undefined' && navigator.mediaDevices !== undefined,
    () => false,
  );
}
