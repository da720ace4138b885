let loading: Promise<typeof import('socket.io-client')> | undefined;

/** What sockets are made of: loaded once, with the first of them or as soon as one is to be expected. Rejects where it cannot be loaded now. */
export function socketLibrary(): Promise<typeof import('socket.io-client')> {
  loading ??= import('socket.io-client').catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
