import type { Token } from '@mlango/proto/ixo/token/v1beta1/token';
import { numbersOf } from '../entities/kinds.js';
import { address, entityDid } from '../identifiers.js';
import { digest, seeded } from '../seeded.js';

/** How many contracts each minter has. */
const CONTRACTS = [12, 4, 1];

/** Address of a minter by its number, from 1. */
export function minterAddress(number: number): string {
  return address(`minter ${number}`);
}

/** Id of a token by the name of its contract and its number, from 1: 32 digits in hexadecimal. */
export function tokenId(contractName: string, number: number): string {
  return digest(`${contractName} ${number}`).toString('hex').slice(0, 32);
}

/** All token contracts of all minters. */
export function makeTokens(): Token[] {
  return CONTRACTS.flatMap((count, minter) =>
    Array.from({ length: count }, (_, index) => makeToken(minter + 1, index + 1)),
  );
}

function makeToken(minter: number, number: number): Token {
  const label = `token ${minter} ${number}`;
  const random = seeded(label);
  const name = `CARBON-${minter}-${number}`;
  const owner = address(`${label} owner`);
  const collections = numbersOf('asset/collection');
  return {
    minter: minterAddress(minter),
    contract_address: address(label, 'contract'),
    class: entityDid(random.pick(collections)),
    name,
    description: 'One unit is a tonne of carbon dioxide that cleaner cooking avoided',
    image: 'https://storage.example/carbon.png',
    type: 'ixo1155',
    // Larger than 64 bits on purpose: amounts are text.
    cap: random.chance(0.2) ? '0' : '340282366920938463463374607431768211455',
    supply: String(random.int(1_000, 1_000_000)),
    paused: random.chance(0.1),
    stopped: random.chance(0.1),
    retired: [{ id: tokenId(name, 1), reason: 'Offset of travel', jurisdiction: 'KE-30', amount: '12', owner }],
    cancelled: random.chance(0.5) ? [{ id: tokenId(name, 2), reason: 'Minted twice', amount: '3', owner }] : [],
    transferred: random.chance(0.5)
      ? [
          {
            id: tokenId(name, 3),
            reason: 'Moved to a registry',
            jurisdiction: 'CH',
            amount: '5',
            owner,
            authorization_id: `auth-${minter}-${number}`,
          },
        ]
      : [],
  };
}
