import type { Calculation } from '@karaar/contracts/payments/http';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';
import { priceNote, shareChange } from './price.ts';

beforeAll(() => detailTexts.load());

const SHARES = [
  { user_id: 'u1', percentage: 30, amount: 201 },
  { user_id: 'u2', percentage: 70, amount: 469 },
];
const note = (
  userId: string,
  shares: typeof SHARES = [],
  status: 'pending' | 'approved' = 'pending',
): string =>
  detailTexts.say(
    priceNote(
      { primary_user: 'u1', primary_user_name: 'Asha Rao', status },
      { total_amount: 670, duration_days: 335, payment_distributions: shares } as Calculation,
      userId,
    ),
  );

it('names the payer before a distribution, and that one can be set up', () => {
  expect(note('u2')).toBe(
    'The price is ₹670 for 335 days. Asha Rao pays it, unless shares are set once everyone has approved.',
  );
  expect(note('u1')).toBe('You pay ₹670 for 335 days. You can share it out once everyone has approved.');
});

it('shows the user’s own share before the signature', () => {
  expect(note('u2', SHARES)).toBe('You pay ₹469: 70% of ₹670 for 335 days.');
  expect(note('u3', SHARES)).toBe('The price is ₹670 for 335 days. You pay nothing.');
});

it('reports a share that was set after the user’s own approval, and who set it', () => {
  expect(note('u2', SHARES, 'approved')).toBe(
    'Asha Rao has shared out the price. You pay ₹469: 70% of ₹670.',
  );
  expect(note('u1', SHARES, 'approved')).toBe('You pay ₹201: 30% of ₹670 for 335 days.');
});

it('reports a changed share to its holder, not to the creator who changed it', () => {
  const charge = {
    payment_distributions: [
      { user_id: 'u1', percentage: 50, amount: 335, amount_before: 469 },
      { user_id: 'u2', percentage: 50, amount: 335, amount_before: 201 },
      { user_id: 'u3', percentage: 0, amount: 0 },
    ],
  };
  const said = (userId: string) => {
    const change = shareChange({ primary_user: 'u1' }, charge, userId);
    return change && detailTexts.say(change);
  };
  expect(said('u2')).toBe('Your share changed from ₹201 to ₹335.');
  expect([said('u1'), said('u3')]).toEqual([null, null]);
});
