import { refused } from './refused.ts';

const text = { status: 404, body: { detail: 'User not found', code: 'user_not_found' } };
const list = { status: 422, body: { detail: [{ loc: 'amount', msg: 'is required' }], code: 'validation' } };

it('accepts an error with a text, and an error that names each invalid field', () => {
  refused(text, 404);
  refused(list, 422, 'amount');
});

it.each<[string, () => void]>([
  ['another status', () => refused(text, 403)],
  ['an answer without a body', () => refused({ status: 404, body: undefined }, 404)],
  ['an answer without a detail', () => refused({ status: 404, body: { code: 'user_not_found' } }, 404)],
  ['an empty text', () => refused({ status: 404, body: { detail: ' ' } }, 404)],
  ['a list where a text belongs', () => refused(list, 422)],
  ['a text where a list belongs', () => refused({ ...text, status: 422 }, 422, 'amount')],
  ['another field', () => refused(list, 422, 'payment_receipt')],
  ['a field that the detail leaves out', () => refused(list, 422, 'amount', 'payment_receipt')],
  [
    'a fault without words',
    () => refused({ status: 422, body: { detail: [{ loc: 'amount', msg: '' }] } }, 422, 'amount'),
  ],
])('rejects %s, and shows the response', (_what, check) => {
  expect(check).toThrow(/^not refused by \d{3} with .*: \{/);
});
