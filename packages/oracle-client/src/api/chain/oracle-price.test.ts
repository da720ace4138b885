import { expect, it } from 'vitest';
import { pricesOf } from './oracle-price.js';

it.each([
  ['a price', { amount: '100', denom: 'uixo', per: 'message' }, [{ amount: '100', denom: 'uixo', per: 'message' }]],
  [
    'a list of prices',
    [
      { title: 'Basic', description: 'A question', amount: '5', denom: 'uixo' },
      { amount: 7, denom: 'uusdc' },
    ],
    [
      { title: 'Basic', description: 'A question', amount: '5', denom: 'uixo' },
      { amount: '7', denom: 'uusdc' },
    ],
  ],
  [
    'a service with offers',
    { name: 'Advice', offers: { priceSpecification: { price: 2.5, priceCurrency: 'uixo', unitCode: 'HUR' } } },
    [{ amount: '2.5', denom: 'uixo', per: 'HUR' }],
  ],
  [
    'an invalid price',
    [{ amount: 'many', denom: 'uixo' }, { amount: '1' }, null, 'free', { amount: '-1', denom: 'x' }],
    [],
  ],
  ['nothing', undefined, []],
])('reads %s', (_, resource, prices) => {
  expect(pricesOf(resource)).toEqual(prices);
});
