import { isContact } from './contact.ts';

it('accepts numbers and addresses in common spellings', () => {
  for (const typed of ['9876543210', '+91 98765 43210', '098765-43210', ' asha@example.org '])
    expect(isContact(typed)).toBe(true);
  for (const typed of ['', '98765', 'ABCD1234', 'asha', 'asha@', 'asha@example'])
    expect(isContact(typed)).toBe(false);
});
