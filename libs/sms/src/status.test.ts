import { signTwilioForm } from '@karaar/testing/sandboxes/sms/twilio';
import { readTwilioReport } from './status.ts';

// The example in the tests of Twilio's library for Python (tests/unit/test_request_validator.py).
const call = {
  url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
  body: new URLSearchParams({
    CallSid: 'CA1234567890ABCDE',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
    Caller: '+14158675309',
  }).toString(),
  signature: 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
};

it('a form that Twilio has signed is accepted', () => {
  expect(readTwilioReport(call, '12345')).toBeUndefined();
  expect(signTwilioForm(call.url, new URLSearchParams(call.body), '12345')).toBe(call.signature);
});

it('a changed or repeated field, or another address, token or signature is refused', () => {
  for (const [changed, token] of [
    [{ body: call.body.replace('1234', '1235') }, '12345'],
    [{ body: `${call.body}&Digits=9` }, '12345'],
    [{ body: `Digits=9&${call.body}` }, '12345'],
    [{ body: `${call.body}&MessageStatus=delivered` }, '12345'],
    [{ body: '' }, '12345'],
    [{ url: `${call.url}&x=1` }, '12345'],
    [{}, '12346'],
    [{ signature: '' }, '12345'],
    [{ signature: `${call.signature}=` }, '12345'],
  ] as const)
    expect(() => readTwilioReport({ ...call, ...changed }, token)).toThrow('not signed');
});

const report = (fields: Record<string, string> | [string, string][]) => {
  const form = new URLSearchParams(fields);
  const signature = signTwilioForm('https://k.example/w', form, 'token');
  return readTwilioReport({ url: 'https://k.example/w', body: form.toString(), signature }, 'token');
};

it.each([
  ['queued', undefined],
  ['sending', undefined],
  ['sent', undefined],
  ['delivered', 'delivered'],
  ['undelivered', 'undelivered'],
  ['failed', 'undelivered'],
  ['read', undefined],
  ['', undefined],
])('the status %s is reported as %s', (MessageStatus, expected) => {
  expect(report({ MessageStatus })).toBe(expected);
});

it.each([
  ['30003', 'unreachable'],
  ['30004', 'blocked'],
  ['30005', 'unknown_number'],
  ['30006', 'unknown_number'],
  ['30007', 'blocked'],
  ['30008', 'undelivered'],
  ['toString', 'undelivered'],
  ['', 'undelivered'],
])('the error %s of a text that did not arrive is reported as %s', (ErrorCode, expected) => {
  for (const MessageStatus of ['undelivered', 'failed'])
    expect(report({ MessageStatus, ErrorCode })).toBe(expected);
  expect(report({ MessageStatus: 'delivered', ErrorCode })).toBe('delivered');
});
