import { Suspense } from 'react';
import { doors } from './shell/doors.js';
import { FailureBoundary } from './shell/failure-boundary.js';
import { Header } from './shell/header.js';
import { RoomView } from './shell/room-view.js';
import { useRoute } from './shell/use-route.js';
import './shell/shell.css';

export function App() {
  const route = useRoute();
  const here = doors.find(({ id }) => id === route[0])?.id;
  return (
    <>
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        To the content
      </button>
      <Header here={here} />
      <main id="main" tabIndex={-1} className={`main door-${here ?? 'none'}`}>
        <FailureBoundary key={here}>
          <Suspense fallback={<p className="quiet">Opening…</p>}>
            <RoomView route={route} />
          </Suspense>
        </FailureBoundary>
      </main>
      <footer className="footer">
        A playground: its phone numbers are made up, its key stays in this browser, and the chain of a fresh
        installation is a mock.
      </footer>
    </>
  );
}
