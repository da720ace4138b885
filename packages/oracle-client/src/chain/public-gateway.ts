/**
 * Where each public network of the chain answers queries over HTTP, by the homeserver of its users: the chain's own nodes, whose
 * `/ixo/entity/:did` says what our gateway's does.
 */
const gateways: ReadonlyMap<string, string> = new Map([
  ['mx.ixo.earth', 'https://impacthub.ixo.world/rest/ixo'],
  ['testmx.ixo.earth', 'https://testnet.ixo.earth/rest/ixo'],
  ['devmx.ixo.earth', 'https://devnet.ixo.earth/rest/ixo'],
]);

/** The public gateway of the network that a user is on. Undefined where their homeserver does not tell: nobody else is asked. */
export function publicGateway(homeServer: string): string | undefined {
  const host = homeServer.replace(/^https?:\/\//, '').replace(/[/:].*$/, '');
  return gateways.get(host.toLowerCase());
}
