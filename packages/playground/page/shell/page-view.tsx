import { type ComponentType, useEffect, useState } from 'react';
import { type PageName, pageOf } from './route.js';

export type Page = ComponentType<{
  /** The parts of the address after the name of the page. */
  readonly route: readonly string[];
}>;

const loaders: Readonly<Record<PageName, () => Promise<Page>>> = {
  home: async () => (await import('../home/home.js')).Home,
  phone: async () => (await import('../phone/phone-page.js')).PhonePage,
  link: async () => withIdentity(import('../link/link-page.js').then(({ LinkPage }) => LinkPage)),
  chat: async () => withIdentity(import('../chat/chat-page.js').then(({ ChatPage }) => ChatPage)),
  chain: async () => (await import('../chain/chain-page.js')).ChainPage,
  account: async () => withIdentity(import('../account/account-page.js').then(({ AccountPage }) => AccountPage)),
  notFound: async () => (await import('../not-found/not-found.js')).NotFound,
};

/** Opens the key of this browser while the page loads: a page that suspends for the key shows a placeholder for a third of a second. */
async function withIdentity(loading: Promise<Page>): Promise<Page> {
  const { openIdentity } = await import('../chat/use-identity.js');
  // Without a key the page explains its requirements.
  if (window.isSecureContext) await openIdentity().catch(() => undefined);
  return loading;
}

const opened = new Map<PageName, Page>();

/** Loads a page. Rejects when its files cannot be loaded. */
export async function openPage(name: PageName): Promise<void> {
  opened.set(name, await loaders[name]());
}

/** A page that is loaded. */
function openedPage(name: PageName): Page | undefined {
  return opened.get(name);
}

/**
 * The page of the address; a loaded page is shown at once. `lazy` would show a placeholder first, and React keeps a placeholder
 * for a third of a second.
 * @throws {Error} in render when the page cannot be loaded
 */
export function PageView({ route }: { readonly route: readonly string[] }) {
  const name = pageOf(route, window.location.pathname);
  const [, setTimesOpened] = useState(0);
  const [failure, setFailure] = useState<Error>();
  const Page = openedPage(name);
  useEffect(() => {
    // Checks what was rendered: the page may have loaded since, and nothing would render it.
    if (Page === undefined)
      openPage(name).then(
        () => setTimesOpened((times) => times + 1),
        (cause: unknown) => setFailure(new Error('The page cannot be loaded', { cause })),
      );
  }, [name, Page]);
  if (failure !== undefined) throw failure;
  return Page === undefined ? <p className="quiet">Loading…</p> : <Page route={route.slice(1)} />;
}
