/** Where the services that run beside this node are reached, as base URLs: what the chain tells of them. */
export interface PublishedAddresses {
  readonly oracle: string;
  readonly gateway: string;
}

/** Where the services listen unless told otherwise. */
export const defaultAddresses: PublishedAddresses = {
  oracle: 'http://127.0.0.1:3001',
  gateway: 'http://127.0.0.1:3002',
};
