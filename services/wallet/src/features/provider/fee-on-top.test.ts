import { feeGoingBack, feeOnTop } from './fee-on-top.ts';

const taken = (amountPaise: number, feePaise = 0) => ({ amountPaise, feePaise });

describe('the amount on top of an order', () => {
  it.each([
    ['the order alone', 50_000, taken(50_000), 0],
    ['the order alone, whose fee the merchant bears', 50_000, taken(50_000, 1_180), 0],
    ['all of the fee', 50_000, taken(51_180, 1_180), 1_180],
    ['a part of the fee', 50_000, taken(50_590, 1_180), 590],
    ['a fee of a tenth', 50_000, taken(55_000, 5_000), 5_000],
    ['a fee with a fixed part on a small order', 100, taken(200, 100), 100],
  ])('is the fee if the provider took %s', (_, order, payment, fee) => {
    expect(feeOnTop(order, payment)).toBe(fee);
  });

  it.each([
    ['less than the order', 50_000, taken(49_999, 1_180)],
    ['more, of which it tells no fee', 50_000, taken(51_180)],
    ['more than the fee', 50_000, taken(51_181, 1_180)],
    ['more than its fee by far', 50_000, taken(511_800, 1_180)],
    ['a fee that no card has', 50_000, taken(55_001, 5_001)],
    ['a fee of many times a small order', 100, taken(201, 101)],
  ])('is undefined if the provider took %s', (_, order, payment) => {
    expect(feeOnTop(order, payment)).toBeUndefined();
  });
});

const ORDER = { walletPaise: 50_000, feePaise: 1_180 };

it.each([
  ['an order, whose fee the payer has borne', 50_000, 0, 0, 0],
  ['everything', 51_180, 0, 0, 1_180],
  ['the order and a part of the fee', 50_500, 0, 0, 500],
  ['the rest, once the order is gone', 1_180, 50_000, 0, 1_180],
  ['the rest, once a part of the order is gone', 21_180, 30_000, 0, 1_180],
  ['everything again, before it is told that it failed', 51_180, 50_000, 1_180, 1_180],
  ['a part that failed, before that is told', 21_180, 50_000, 1_180, 1_180],
  ['less than the fee, before it is told what failed', 1_000, 50_000, 1_180, 1_000],
])("returns the fee's part of %s", (_, amount, walletPaise, feePaise, fee) => {
  expect(feeGoingBack(amount, ORDER, { walletPaise, feePaise })).toBe(fee);
});
