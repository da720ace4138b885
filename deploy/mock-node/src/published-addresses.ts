/** Base URLs of the services next to this node, as published on the chain. */
export interface PublishedAddresses {
  readonly oracle: string;
  readonly gateway: string;
}

/** The default addresses of the services. */
export const defaultAddresses: PublishedAddresses = {
  oracle: 'http://127.0.0.1:3001',
  gateway: 'http://127.0.0.1:3002',
};
