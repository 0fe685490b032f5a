import fc from 'fast-check';
import { paidRupees, payFault, paymentState, saysNotSetUp } from './charge.ts';
import { paymentTexts } from './texts.ts';

beforeAll(() => paymentTexts.load());

const payment = (amount: number, status: 'completed' | 'pending' | 'failed' = 'completed') => ({
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
const payer = { document, userId: 'u1', shareHolders: [], amount: 7, balance: 100 };

describe('the payment status of a document', () => {
  it('[PAY-004] is completed when the completed payments reach the total and are above 0', () => {
    expect(paymentState([payment(3), payment(4)], 7)).toBe('completed');
    expect(paymentState([payment(7), payment(1)], 7)).toBe('completed');
    expect(paymentState([payment(0)], 0)).toBe('pending');
  });

  it('[PAY-005] is partial when some is paid', () => {
    expect(paymentState([payment(3), payment(4, 'failed')], 7)).toBe('partial');
  });

  it('[PAY-006] is pending when nothing is paid', () => {
    expect(paymentState([], 7)).toBe('pending');
    expect(paymentState([payment(7, 'pending')], 7)).toBe('pending');
  });

  it('adds up to the paisa', () => {
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
  it('lets the primary user pay when all have approved and the wallet holds enough', () => {
    expect(payFault(payer)).toBeNull();
    expect(payFault({ ...payer, balance: 7 })).toBeNull();
  });

  it('[PAY-017] nothing to pay', () => {
    expect(faultText({ ...payer, amount: 0 })).toBe('No payable amount found');
  });

  it('[PAY-018] too little in the wallet', () => {
    expect(faultText({ ...payer, balance: 6.5 })).toBe(
      'Insufficient wallet balance. Required: ₹7, Available: ₹6.50',
    );
  });

  it('[PAY-019] somebody has not approved', () => {
    const waiting = { ...document, parties: [party('u1'), party('u2', false)] };
    expect(faultText({ ...payer, document: waiting })).toBe('Both users must be verified before payment');
  });

  it('[PAY-020] neither the primary user nor one with a share', () => {
    expect(faultText({ ...payer, userId: 'u2' })).toBe('Only the primary user can pay for this document');
    expect(payFault({ ...payer, userId: 'u2', shareHolders: ['u2'] })).toBeNull();
  });
});

describe('saysNotSetUp', () => {
  it('[PAY-021] is known by its code or by its words', () => {
    expect(saysNotSetUp('distribution_not_setup', 'x')).toBe(true);
    expect(saysNotSetUp(undefined, 'Payment distribution not setup for this document')).toBe(true);
    expect(saysNotSetUp('insufficient', 'Insufficient wallet balance')).toBe(false);
  });
});
