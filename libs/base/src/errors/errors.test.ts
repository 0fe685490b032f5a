import {
  AppError,
  fromWire,
  invalid,
  notFound,
  toWire,
  tooManyRequests,
  unauthorized,
  unavailable,
} from './index.ts';

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

describe('toWire', () => {
  it('returns an AppError as {detail, code} with its status', () => {
    expect(toWire(notFound('document_not_found', 'There is no such document.'))).toEqual({
      status: 404,
      body: { detail: 'There is no such document.', code: 'document_not_found' },
      headers: {},
    });
  });

  it('returns validation faults as a list of loc and msg', () => {
    expect(toWire(invalid([{ loc: 'name', msg: 'is required' }]))).toMatchObject({
      status: 422,
      body: { detail: [{ loc: 'name', msg: 'is required' }], code: 'validation' },
    });
  });

  it('sends Retry-After in whole seconds, at least one', () => {
    expect(toWire(tooManyRequests('Too many codes.', 2.1)).headers).toEqual({ 'retry-after': '3' });
    expect(toWire(tooManyRequests('Too many codes.', 0)).headers).toEqual({ 'retry-after': '1' });
  });

  it('sends a challenge with 401', () => {
    expect(toWire(unauthorized('not_authenticated', 'Please sign in.')).headers).toEqual({
      'www-authenticate': 'Bearer',
    });
  });

  it.each([
    new Error('relation "users" does not exist'),
    new TypeError('x is undefined'),
    withCode('duplicate key value', '23505'),
    'a thrown text',
    undefined,
    null,
    { status: 200, detail: 'looks like one' },
  ])('reveals no internal details of %p', (thrown) => {
    expect(toWire(thrown)).toEqual({
      status: 500,
      body: { detail: 'Something went wrong. Please try again.', code: 'internal' },
      headers: {},
    });
  });

  it.each([
    withCode('connect ECONNREFUSED 10.0.0.3:5432', 'ECONNREFUSED'),
    withCode('terminating connection due to administrator command', '57P01'),
    withCode('sorry, too many clients already', '53300'),
    withCode('canceling statement due to statement timeout', '57014'),
    withCode('canceling statement due to lock timeout', '55P03'),
    withCode('terminating connection due to idle-in-transaction timeout', '25P03'),
    withCode('connection does not exist', '08003'),
    new Error('Connection terminated unexpectedly'),
    new Error('Connection is closed.'),
    new Error('fetch failed', { cause: withCode('refused', 'ECONNREFUSED') }),
    new AggregateError([withCode('refused', 'ECONNREFUSED')]),
  ])('answers 503 without an address when a backing service is away: %p', (thrown) => {
    const wire = toWire(thrown);
    expect(wire.status).toBe(503);
    expect(wire.body.code).toBe('unavailable');
    expect(JSON.stringify(wire)).not.toMatch(/ECONNREFUSED|10\.0\.0\.3|connection/i);
  });
});

describe('fromWire', () => {
  it('restores an error from the wire unchanged', () => {
    const there = unavailable('wallet_down', 'The wallet does not answer.');
    const here = fromWire(toWire(there));
    expect(here).toBeInstanceOf(AppError);
    expect(toWire(here)).toEqual(toWire(there));
  });
});
