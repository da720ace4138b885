import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import type { JsonServices } from '../serving/json-service.js';
import type { JsonQuery } from '../serving/unary.js';
import { StatusError } from '../status-error.js';

const SUPPLY = 1000n;
const BATCH_BLOCKS = 4;

const priceAt = (supply: bigint) => 2n * supply + 100n;
/** The sum of the prices of all tokens up to a supply. */
const reserveAt = (supply: bigint) => supply * supply + 100n * supply;
/** Half a per cent, rounded up. */
const feeOf = (amount: bigint) => (amount * 5n + 999n) / 1000n;

const uixo = (amount: bigint) => [{ denom: 'uixo', amount: String(amount) }];
const supply = { adjusted_supply: { denom: 'impact', amount: String(SUPPLY) } };

/**
 * Queries of the bond that depend on an amount or the block. One more token costs 2 x + 100 at a supply of x.
 *
 * @param bond the query for the bond of a request, which refuses one for another
 */
export function bondsService(bond: JsonQuery): JsonServices {
  const ofBond = (answer: JsonQuery['answer'], more: JsonObject = {}): JsonQuery => ({
    example: { bond_did: 'did:ixo:bond-1', ...more },
    answer(request, block) {
      bond.answer(request, block);
      return answer(request, block);
    },
  });
  return {
    'ixo.bonds.v1beta1.Query': {
      Batch: ofBond(({ bond_did = '' }, { height }) => {
        const none = { denom: 'impact', amount: '0' };
        const blocks_remaining = String(BATCH_BLOCKS - ((height - 1) % BATCH_BLOCKS));
        const amounts = { total_buy_amount: none, total_sell_amount: none };
        return { batch: { bond_did, blocks_remaining, next_public_alpha: '0', ...amounts } };
      }),
      CustomPrice: ofBond((request) => ({ price: uixo(priceAt(amountIn(request)) * 10n ** 18n) }), {
        bond_amount: '500impact',
      }),
      BuyPrice: ofBond(
        (request) => {
          const cost = reserveAt(SUPPLY + amountIn(request)) - reserveAt(SUPPLY);
          const fees = uixo(feeOf(cost));
          return {
            ...supply,
            prices: uixo(cost),
            tx_fees: fees,
            total_prices: uixo(cost + feeOf(cost)),
            total_fees: fees,
          };
        },
        { bond_amount: '10impact' },
      ),
      SellReturn: ofBond(
        (request) => {
          const amount = amountIn(request);
          if (amount > SUPPLY) throw new StatusError(status.INVALID_ARGUMENT, 'cannot burn more than the supply');
          const worth = reserveAt(SUPPLY) - reserveAt(SUPPLY - amount);
          const fees = uixo(feeOf(worth));
          return {
            ...supply,
            returns: uixo(worth),
            tx_fees: fees,
            exit_fees: [],
            total_returns: uixo(worth - feeOf(worth)),
            total_fees: fees,
          };
        },
        { bond_amount: '10impact' },
      ),
    },
  };
}

/** The amount of `10impact`. */
function amountIn({ bond_amount }: JsonObject): bigint {
  const [, amount] = /^([0-9]{1,18})impact$/.exec(typeof bond_amount === 'string' ? bond_amount : '') ?? [];
  if (amount === undefined) throw new StatusError(status.INVALID_ARGUMENT, 'invalid coin expression');
  return BigInt(amount);
}
