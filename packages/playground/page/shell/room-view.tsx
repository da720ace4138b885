import { useEffect, useState } from 'react';
import { roomOf } from './room-of.js';
import { openedRoom, openRoom } from './rooms.js';

/**
 * The room that an address leads to; one that is loaded already is there at once. `lazy` would first show that it waits, and React keeps
 * that in sight for a third of a second.
 * @throws {Error} while it renders, when the room cannot be loaded
 */
export function RoomView({ route }: { readonly route: readonly string[] }) {
  const name = roomOf(route, window.location.pathname);
  const [, setTimesOpened] = useState(0);
  const [failure, setFailure] = useState<Error>();
  const Room = openedRoom(name);
  useEffect(() => {
    // By what was rendered: it may have been loaded since, and nothing would show it then.
    if (Room === undefined)
      openRoom(name).then(
        () => setTimesOpened((times) => times + 1),
        (cause: unknown) => setFailure(new Error('The room cannot be loaded', { cause })),
      );
  }, [name, Room]);
  if (failure !== undefined) throw failure;
  return Room === undefined ? <p className="quiet">Loading…</p> : <Room route={route.slice(1)} />;
}
