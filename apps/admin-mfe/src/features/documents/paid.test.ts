import { paidText } from './paid.ts';

const events = (...types: string[]) => types.map((type) => ({ type }));

describe('whether a document is paid', () => {
  it('is in part once a share of several was paid, until all are', () => {
    expect(paidText({ paid: false, events: events('document.approved') })).toBe('no');
    expect(paidText({ paid: false, events: events('document.approved', 'payment.completed') })).toBe(
      'partly',
    );
    expect(paidText({ paid: true, events: events('payment.completed', 'payment.completed') })).toBe('yes');
  });

  it('is not yet when what was paid was given back', () => {
    expect(paidText({ paid: false, events: events('payment.completed', 'payment.reversed') })).toBe('no');
  });
});
