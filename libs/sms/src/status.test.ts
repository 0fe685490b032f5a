import { isSignedByTwilio, signTwilioForm, twilioDelivery } from './status.ts';

// The example of Twilio's documentation.
const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
const form = new URLSearchParams({
  Digits: '1234',
  To: '+18005551212',
  From: '+14158675309',
  Caller: '+14158675309',
  CallSid: 'CA1234567890ABCDE',
});
const signature = 'RSOYDt4T1cUTdK1PDd93/VVr8B8=';

it('a signature is the one that Twilio makes', () => {
  expect(signTwilioForm(url, form, '12345')).toBe(signature);
  expect(isSignedByTwilio({ url, form, signature }, '12345')).toBe(true);
});

it('a changed form, address, token or signature is refused', () => {
  const changed = new URLSearchParams(form);
  changed.set('Digits', '1235');
  for (const [call, token] of [
    [{ url, form: changed, signature }, '12345'],
    [{ url: `${url}&x=1`, form, signature }, '12345'],
    [{ url, form, signature }, '12346'],
    [{ url, form, signature: '' }, '12345'],
    [{ url, form, signature: `${signature}=` }, '12345'],
  ] as const)
    expect(isSignedByTwilio(call, token)).toBe(false);
});

it('only the final states are a fate', () => {
  const fates = ['queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'read', ''].map(
    (status) => twilioDelivery(new URLSearchParams({ MessageStatus: status })),
  );
  const open = undefined;
  expect(fates).toEqual([open, open, open, 'delivered', 'undelivered', 'undelivered', open, open]);
});
