import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { BLOCK_MS, type Block, GENESIS_MS } from '../../chain-clock.js';
import { decimal } from '../../data/amounts.js';
import { address, entityDid } from '../../data/identifiers.js';
import { type JsonServices, textOf } from '../../serving/json-service.js';
import { StatusError } from '../../status-error.js';

const BOND_DID = 'did:ixo:bond-1';
const TOKEN = 'impact';
const SUPPLY = 1000n;
const BATCH_BLOCKS = 4;

/** What one more token costs at a supply of x: 2 x + 100. What is kept for a supply is the sum of what its tokens cost. */
const priceAt = (supply: bigint) => 2n * supply + 100n;
const reserveAt = (supply: bigint) => supply * supply + 100n * supply;

const uixo = (amount: bigint) => [{ denom: 'uixo', amount: String(amount) }];
const price = (amount: bigint) => [{ denom: 'uixo', amount: decimal(String(amount)) }];
const tokens = (amount: bigint) => ({ denom: TOKEN, amount: String(amount) });
/** Half a per cent, rounded up as the chain does. */
const feeOf = (amount: bigint) => (amount * 5n + 999n) / 1000n;

const BOND: JsonObject = {
  token: TOKEN,
  name: 'Impact bond',
  description: 'Pays for what a project has shown to have done.',
  creator_did: entityDid(2),
  controller_did: entityDid(2),
  function_type: 'power_function',
  function_parameters: [
    { param: 'm', value: decimal('2') },
    { param: 'n', value: decimal('1') },
    { param: 'c', value: decimal('100') },
  ],
  reserve_tokens: ['uixo'],
  tx_fee_percentage: decimal('0.5'),
  exit_fee_percentage: decimal('0'),
  fee_address: address('fees of bond-1'),
  reserve_withdrawal_address: address('withdrawals of bond-1'),
  max_supply: tokens(1_000_000n),
  order_quantity_limits: [],
  sanity_rate: decimal('0'),
  sanity_margin_percentage: decimal('0'),
  current_supply: tokens(SUPPLY),
  current_reserve: uixo(reserveAt(SUPPLY)),
  available_reserve: uixo(reserveAt(SUPPLY)),
  current_outcome_payment_reserve: [],
  allow_sells: true,
  allow_reserve_withdrawals: false,
  alpha_bond: false,
  batch_blocks: String(BATCH_BLOCKS),
  outcome_payment: '0',
  state: 'OPEN',
  bond_did: BOND_DID,
  oracle_did: entityDid(1),
};

/** One bond, whose price rises with its supply, and of which nobody buys or sells. It has no alpha and swaps nothing. */
export function bondsService(): JsonServices {
  const details = { bond_did: BOND_DID, spot_price: price(priceAt(SUPPLY)), supply: tokens(SUPPLY) };
  const ofBond = (answer: (request: JsonObject, block: Block) => JsonObject, more: JsonObject = {}) => ({
    example: { bond_did: BOND_DID, ...more },
    answer: (request: JsonObject, block: Block) => {
      const did = textOf(request, 'bond_did');
      if (did !== BOND_DID) throw new StatusError(status.NOT_FOUND, `bond '${did}' does not exist`);
      return answer(request, block);
    },
  });
  return {
    'ixo.bonds.v1beta1.Query': {
      Bonds: { example: {}, answer: () => ({ bonds: [BOND_DID] }) },
      BondsDetailed: {
        example: {},
        answer: () => ({ bonds_detailed: [{ ...details, reserve: uixo(reserveAt(SUPPLY)) }] }),
      },
      Params: { example: {}, answer: () => ({ params: { reserved_bond_tokens: ['uixo'] } }) },
      Bond: ofBond(() => ({ bond: BOND })),
      Batch: ofBond((_, block) => ({ batch: emptyBatch(block) })),
      LastBatch: ofBond(() => ({ last_batch: { ...emptyBatch(), blocks_remaining: '0' } })),
      CurrentPrice: ofBond(() => ({ current_price: price(priceAt(SUPPLY)) })),
      CurrentReserve: ofBond(() => ({ current_reserve: uixo(reserveAt(SUPPLY)) })),
      AvailableReserve: ofBond(() => ({ available_reserve: uixo(reserveAt(SUPPLY)) })),
      CustomPrice: ofBond((request) => ({ price: price(priceAt(amountIn(request))) }), { bond_amount: `500${TOKEN}` }),
      BuyPrice: ofBond(
        (request) => {
          const supply = SUPPLY + amountIn(request);
          const cost = reserveAt(supply) - reserveAt(SUPPLY);
          const fee = feeOf(cost);
          return {
            ...{ adjusted_supply: tokens(SUPPLY), prices: uixo(cost), tx_fees: uixo(fee) },
            ...{ total_prices: uixo(cost + fee), total_fees: uixo(fee) },
          };
        },
        { bond_amount: `10${TOKEN}` },
      ),
      SellReturn: ofBond(
        (request) => {
          const amount = amountIn(request);
          if (amount > SUPPLY) throw new StatusError(status.INVALID_ARGUMENT, 'cannot burn more than the supply');
          const worth = reserveAt(SUPPLY) - reserveAt(SUPPLY - amount);
          const fee = feeOf(worth);
          return {
            ...{ adjusted_supply: tokens(SUPPLY), returns: uixo(worth), tx_fees: uixo(fee), exit_fees: [] },
            ...{ total_returns: uixo(worth - fee), total_fees: uixo(fee) },
          };
        },
        { bond_amount: `10${TOKEN}` },
      ),
    },
  };
}

/** The amount of `10impact`. */
function amountIn(request: JsonObject): bigint {
  const [, amount] = new RegExp(`^([0-9]{1,18})${TOKEN}$`).exec(textOf(request, 'bond_amount')) ?? [];
  if (amount === undefined) throw new StatusError(status.INVALID_ARGUMENT, 'invalid coin expression');
  return BigInt(amount);
}

function emptyBatch(block?: Block): JsonObject {
  const made = block === undefined ? 0 : (block.timeMs - GENESIS_MS) / BLOCK_MS;
  return {
    bond_did: BOND_DID,
    blocks_remaining: String(BATCH_BLOCKS - (made % BATCH_BLOCKS)),
    next_public_alpha: decimal('0'),
    total_buy_amount: tokens(0n),
    total_sell_amount: tokens(0n),
  };
}
