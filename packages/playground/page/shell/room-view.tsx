import { useEffect, useState } from 'react';
import { openedRoom, openRoom, roomOf } from './rooms.js';

/**
 * The room that an address leads to; one that is loaded already is there at once. `lazy` would first show that it waits, and React keeps
 * that in sight for a third of a second.
 * @throws {Error} while it renders, when the room cannot be loaded
 */
export function RoomView({ route }: { readonly route: readonly string[] }) {
  const name = roomOf(route);
  const [, setTimesOpened] = useState(0);
  const [failure, setFailure] = useState<Error>();
  const Room = openedRoom(name);
  useEffect(() => {
    if (openedRoom(name) === undefined)
      openRoom(name).then(
        () => setTimesOpened((times) => times + 1),
        (cause: unknown) => setFailure(new Error('The room cannot be loaded', { cause })),
      );
  }, [name]);
  if (failure !== undefined) throw failure;
  return Room === undefined ? <p className="quiet">Opening…</p> : <Room route={route.slice(1)} />;
}
