import type { ComponentType } from 'react';
import { AsUser } from '../chat/as-user.js';
import { useIdentity } from '../chat/use-identity.js';
import { NotFound } from '../not-found/not-found.js';
import { hrefOf } from '../shell/route.js';
import { AlwaysView } from './allowed-tools.js';
import { KeysView } from './api-keys.js';
import { CreditsView } from './credits.js';
import { MemoriesView } from './memories.js';
import { PreferencesView } from './preferences.js';
import { YouView } from './you.js';
import './account.css';

interface View {
  readonly id: string;
  readonly name: string;
  readonly View: ComponentType;
}

const views: readonly View[] = [
  { id: 'you', name: 'You', View: YouView },
  { id: 'memory', name: 'Memory', View: MemoriesView },
  { id: 'preferences', name: 'Preferences', View: PreferencesView },
  { id: 'always', name: 'Permissions', View: AlwaysView },
  { id: 'keys', name: 'API keys', View: KeysView },
  { id: 'credits', name: 'Credits', View: CreditsView },
];

/** The user's data at this oracle, and the user's key. */
export function AccountPage({ route: [id = 'you'] }: { readonly route: readonly string[] }) {
  const here = views.find((view) => view.id === id);
  if (here === undefined) return <NotFound />;
  return (
    <div className="account">
      <nav aria-label="Account">
        <ul>
          {views.map(({ id: one, name }) => (
            <li key={one}>
              <a href={hrefOf('account', one)} aria-current={one === here.id ? 'page' : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="stack">
        {window.isSecureContext ? (
          <OfThisBrowser key={here.id} View={here.View} />
        ) : (
          <p className="notice bad">
            This page is not secure, so your browser keeps no key for it. Open it over HTTPS, or at 127.0.0.1.
          </p>
        )}
      </div>
    </div>
  );
}

function OfThisBrowser({ View }: Pick<View, 'View'>) {
  const user = useIdentity();
  return (
    <AsUser user={user}>
      <View />
    </AsUser>
  );
}
