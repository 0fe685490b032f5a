import { phoneText } from './phone-text.ts';

it.each([
  ['+919876543210', '+91 98765 43210'],
  ['+91••••••3210', '+91 ••••••3210'],
  ['+4915112345678', '+4915112345678'],
  ['', ''],
])('%s is written %s', (phone, text) => {
  expect(phoneText(phone)).toBe(text);
});
