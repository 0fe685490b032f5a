import { signTwilioForm } from '@karaar/testing/sandboxes/sms/twilio';
import { msg91ReportId, readMsg91Reports, readTwilioReport } from './status.ts';

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

describe('reports of MSG91', () => {
  const ID = '0193a1b2-0000-7000-8000-00000000ab01';
  const OTHER = '0193a1b2-0000-7000-8000-00000000ab02';
  const CRQID = msg91ReportId(ID, 'key');
  // The samples in MSG91's help, shortened.
  const form = (...entries: unknown[]) =>
    new URLSearchParams({
      data: JSON.stringify([{ senderId: 'KARAAR', requestId: '346', report: entries }]),
    }).toString();
  const read = (body: string, key = 'key') => readMsg91Reports(body, key);

  it('has an id that MSG91 accepts', () => {
    expect(CRQID).toMatch(/^[A-Za-z0-9_.-]{1,50}$/);
  });

  it.each([
    ['1', 'delivered'],
    [1, 'delivered'],
    ['2', 'undelivered'],
    ['9', 'blocked'],
    ['16', 'undelivered'],
    ['17', 'blocked'],
    ['25', 'undelivered'],
    ['Delivered', 'delivered'],
    ['FAILED', 'undelivered'],
    ['NDNC', 'blocked'],
  ])('the status %s is reported as %s, as a form and as JSON', (status, report) => {
    expect(read(form({ number: '919000000001', status, CRQID }))).toEqual([{ id: ID, report }]);
    expect(read(JSON.stringify({ number: '919000000001', status, CRQID }))).toEqual([{ id: ID, report }]);
  });

  it('are read from a list in which some are about texts that are not ours', () => {
    const entries = [
      { status: '1', CRQID: '0' },
      { status: '2', CRQID: msg91ReportId(OTHER, 'key') },
      { status: '1', CRQID },
    ];
    expect(read(form(...entries))).toEqual([
      { id: OTHER, report: 'undelivered' },
      { id: ID, report: 'delivered' },
    ]);
  });

  it('count only with our signature of the id', () => {
    const forged = Buffer.from(CRQID, 'base64url');
    forged[15] = 2;
    const cut = CRQID.slice(0, -4);
    for (const wrong of [
      forged.toString('base64url'),
      msg91ReportId(ID, 'guess'),
      ID,
      cut,
      '',
      null,
      {},
      [CRQID, CRQID],
    ])
      expect(read(form({ status: '1', CRQID: wrong }))).toEqual([]);
    expect(read(form({ status: '1', CRQID }), 'new key')).toEqual([]);
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '"x"',
    '7',
    'data=',
    'data=null',
    'data={',
    '{"report":7}',
    '[[[1]]]',
    'data=[{"report":[null]}]',
  ])('are not found in %j', (body) => expect(read(body)).toEqual([]));

  it.each(['', '0', '3', 'toString', 'queued'])('leave a text with the status %j on its way', (status) => {
    expect(read(form({ status, CRQID }))).toEqual([]);
  });
});
