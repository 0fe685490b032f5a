import type { Payment } from '@karaar/contracts/payments/http';
import fc from 'fast-check';
import { dueNow, isPayer, paidRupees, payFault, paymentState, saysNotSetUp, shortfall } from './charge.ts';
import { hasPaid } from '../../shared/paid.ts';
import { paymentTexts } from '../../shared/catalogs/payment/texts.ts';

beforeAll(() => paymentTexts.load());

const payment = (amount: number, status: Payment['status'] = 'completed') => ({
  amount,
  status,
});
const party = (user_id: string, approved = true) => ({
  user_id,
  char_id: 'AAAA1111',
  name: user_id,
  state: 'approved' as const,
  approved,
  verified: approved,
});
const document = { primary_user: 'u1', parties: [party('u1'), party('u2')] };
const payer = { document, userId: 'u1', shareHolders: [], amount: 7 };

describe('the payment status of a document', () => {
  it('[PAY-004] is completed if the completed payments reach the total and are above 0', () => {
    expect(paymentState([payment(3), payment(4)], 7)).toBe('completed');
    expect(paymentState([payment(7), payment(1)], 7)).toBe('completed');
    expect(paymentState([payment(0)], 0)).toBe('pending');
  });

  it('[PAY-005] is partial if a part is paid', () => {
    expect(paymentState([payment(3), payment(4, 'failed')], 7)).toBe('partial');
  });

  it('[PAY-006] is pending if nothing is paid', () => {
    expect(paymentState([], 7)).toBe('pending');
    expect(paymentState([payment(7, 'pending')], 7)).toBe('pending');
  });

  it('counts a reversed payment as unpaid', () => {
    const given = [payment(7, 'reversed')];
    expect([paidRupees(given), paymentState(given, 7)]).toEqual([0, 'pending']);
    expect(paymentState([...given, payment(7)], 7)).toBe('completed');
    const charge = {
      calculation: { total_amount: 7, payment_distributions: [] },
      payments: given.map((each) => ({ ...each, user_id: 'u1' })),
    };
    expect(hasPaid(charge.payments, 'u1')).toBe(false);
    expect(dueNow({ primary_user: 'u1', status: 'finalized' }, charge, 'u1')).toBe(7);
  });

  it('is exact to the paisa', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 10_000_000 }), { maxLength: 30 }), (paise) => {
        const sum = paise.reduce((total, each) => total + each, 0);
        expect(Math.round(paidRupees(paise.map((each) => payment(each / 100))) * 100)).toBe(sum);
      }),
    );
  });
});

const faultText = (by: typeof payer) => {
  const fault = payFault(by);
  return fault && paymentTexts.say(fault);
};

describe('payFault', () => {
  it('lets the primary user pay if all have approved', () => {
    expect(payFault(payer)).toBeNull();
  });

  it('[PAY-017] refuses if there is nothing to pay', () => {
    expect(faultText({ ...payer, amount: 0 })).toBe('No payable amount found');
  });

  it('[PAY-019] refuses if a party has not approved', () => {
    const waiting = { ...document, parties: [party('u1'), party('u2', false)] };
    expect(faultText({ ...payer, document: waiting })).toBe('Both users must be verified before payment');
  });

  it('[PAY-020] refuses a user who is not the primary user and has no share', () => {
    expect(faultText({ ...payer, userId: 'u2' })).toBe('Only the primary user can pay for this document');
    expect(payFault({ ...payer, userId: 'u2', shareHolders: ['u2'] })).toBeNull();
  });
});

it('the creator pays without a distribution; with one, only users with a share above zero', () => {
  const payers = (...payment_distributions: { user_id: string; percentage: number; amount: number }[]) =>
    ['u1', 'u2', 'u3'].filter((userId) =>
      isPayer(document, { payment_distributions, total_amount: 7 }, userId),
    );
  expect(payers()).toEqual(['u1']);
  expect(
    payers({ user_id: 'u1', percentage: 0, amount: 0 }, { user_id: 'u2', percentage: 100, amount: 7 }),
  ).toEqual(['u2']);
});

describe('shortfall', () => {
  it('is null if the wallet holds enough', () => {
    expect(shortfall(7, 7)).toBeNull();
  });

  it('[PAY-018] reports the required and available amounts, and the amount to add, to the paisa', () => {
    const short = shortfall(201.1, 0.2);
    expect(short && paymentTexts.say(short.message)).toBe(
      'Insufficient wallet balance. Required: ₹201.10, Available: ₹0.20',
    );
    expect(short?.rupees).toBe(200.9);
  });

  it('is at least the smallest top-up', () => {
    expect(shortfall(7, 6.5)?.rupees).toBe(1);
  });
});

describe('dueNow', () => {
  const shares = [
    { user_id: 'u1', percentage: 30, amount: 60.3 },
    { user_id: 'u2', percentage: 70, amount: 140.7 },
  ];
  const due = (
    status: 'pending_approval' | 'approved' | 'finalized',
    userId: string,
    set = shares,
    paid = false,
  ) =>
    dueNow(
      { primary_user: 'u1', status },
      {
        calculation: { total_amount: 201, payment_distributions: set },
        payments: paid ? [{ status: 'completed', user_id: userId }] : [],
      },
      userId,
    );

  it('is 0 before all have approved', () => {
    expect(due('pending_approval', 'u1')).toBe(0);
  });

  it('is the user’s own share, until it is paid', () => {
    expect([due('approved', 'u1'), due('finalized', 'u2')]).toEqual([60.3, 140.7]);
    expect(due('finalized', 'u2', shares, true)).toBe(0);
    expect(due('approved', 'u3')).toBe(0);
  });

  it('is the whole charge for the creator, and 0 for others, without a distribution', () => {
    expect([due('approved', 'u1', []), due('approved', 'u2', [])]).toEqual([201, 0]);
  });
});

describe('saysNotSetUp', () => {
  it('[PAY-021] recognises the fault by its code or its text', () => {
    expect(saysNotSetUp('distribution_not_setup', 'x')).toBe(true);
    expect(saysNotSetUp(undefined, 'Payment distribution not setup for this document')).toBe(true);
    expect(saysNotSetUp('insufficient', 'Insufficient wallet balance')).toBe(false);
  });
});
