import { paidText } from './paid.ts';

const events = (...types: string[]) => types.map((type) => ({ type }));

describe('the payment status of a document', () => {
  it('is partly paid while some of several shares are paid', () => {
    expect(paidText({ paid: false, events: events('document.approved') })).toBe('no');
    expect(paidText({ paid: false, events: events('document.approved', 'payment.completed') })).toBe(
      'partly',
    );
    expect(paidText({ paid: true, events: events('payment.completed', 'payment.completed') })).toBe('yes');
  });

  it('is unpaid if the payments were reversed', () => {
    expect(paidText({ paid: false, events: events('payment.completed', 'payment.reversed') })).toBe('no');
  });
});
